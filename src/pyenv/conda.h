// SPDX-License-Identifier: Apache-2.0
// What conda writes down about an installed package:
// PREFIX/conda-meta/<name>-<version>-<build>.json, and what its build string says about CUDA.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct CondaRecord {
  std::string name, version, build;
  std::string channel;  // "pytorch", "conda-forge", "pkgs/main"; empty: not said
  std::vector<std::string> depends;
};
Result<CondaRecord> parse_conda_record(std::string_view json);

// The channel alone, from the beginning of such a file: the list of files behind it is megabytes
// long. Empty where the beginning does not say; an error where it is no JSON object.
Result<std::string> parse_conda_channel(std::string_view head);

// Real builds:
//   py3.10_cuda11.8_cudnn8.7.0_0        pytorch channel: CUDA 11.8, cuDNN 8.7.0, Python 3.10
//   py3.10_cpu_0, py39_cpu              CPU only
//   cuda102py310hdf4a2db_202            conda-forge: CUDA 10.2
//   cuda126_mkl_py312_h30b5a27_300      conda-forge since 2.6
//   cpu_generic_py312_h1234567_1        conda-forge, CPU only
//   py310_cu121                         torchvision and torchaudio of the pytorch channel
struct CondaBuild {
  std::optional<DottedVersion> cuda;    // "11.8"
  std::optional<DottedVersion> cudnn;   // "8.7.0"
  std::optional<DottedVersion> python;  // "3.10"
  bool cpu = false;
};
CondaBuild parse_conda_build(std::string_view build);

// The short name of a channel: URLs and mirrors are stripped, tokens too.
std::string conda_channel_name(std::string_view channel_or_url);

// conda-meta/pytorch-2.1.0-py3.10_cuda11.8_cudnn8.7.0_0.json -> name, version, build.
struct CondaFileName {
  std::string name, version, build;
};
std::optional<CondaFileName> parse_conda_file_name(std::string_view file_name);

// ~/.conda/environments.txt: one prefix a line.
std::vector<std::string> parse_conda_environments(std::string_view text);

}  // namespace kernelfit
