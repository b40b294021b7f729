// SPDX-License-Identifier: Apache-2.0
// Texts of the system around the driver: the loader's cache, control groups, os-release, the C
// library's banner, CUDA's and cuDNN's version files.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "version/version.h"

namespace kernelfit {

struct LoaderEntry {
  std::string name, path;
  std::string abi;  // "x86-64", "AArch64"; empty: 32 bit or not told
};
// ldconfig -p: "libcuda.so.1 (libc6,x86-64) => /usr/lib/wsl/lib/libcuda.so.1"
std::vector<LoaderEntry> parse_ldconfig(std::string_view text);

// "docker", "podman", "kubernetes", "lxc", "containerd" from /proc/self/cgroup; empty: none named.
std::string_view parse_cgroup_container(std::string_view text);

// PRETTY_NAME of /etc/os-release, without quotes; else NAME and VERSION.
std::string parse_os_release(std::string_view text);

// "GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36." anywhere in the bytes.
std::optional<DottedVersion> find_glibc_banner(std::string_view bytes);

// "libcuda.so.535.183.01" -> 535.183.01; nothing for libcuda.so.1 (its ABI) and libcuda.so.1.1
// (WSL, Jetson).
std::optional<DottedVersion> driver_version_of_file(std::string_view file_name);

// version.json ("cuda" -> "version"), version.txt ("CUDA Version 10.2.89") of a toolkit.
std::optional<DottedVersion> parse_cuda_version_json(std::string_view text);
std::optional<DottedVersion> parse_cuda_version_txt(std::string_view text);
// #define CUDA_VERSION 12040 in cuda.h
std::optional<DottedVersion> parse_cuda_header(std::string_view text);
// CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL in cudnn_version.h (before 8: cudnn.h)
std::optional<DottedVersion> parse_cudnn_header(std::string_view text);
// 12040 -> 12.4, as cuDriverGetVersion and CUDA_VERSION count
std::optional<DottedVersion> cuda_version_of_number(std::int64_t number);

}  // namespace kernelfit
