// SPDX-License-Identifier: Apache-2.0
// What the loaded kernel module says of itself in /proc/driver/nvidia.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct ModuleVersion {
  DottedVersion version;  // "580.95.05"
  bool open = false;      // the open kernel module
};
Result<ModuleVersion> parse_proc_version(std::string_view text);  // /proc/driver/nvidia/version

struct GpuInformation {
  std::string name;         // "GeForce RTX 3090"; empty: not told
  std::string uuid;         // empty where the card is not started ("GPU-????????-…")
  std::string pci_address;  // "0000:01:00.0"
  std::optional<int> minor;
  bool excluded = false;
};
GpuInformation parse_gpu_information(std::string_view text);  // …/gpus/0000:01:00.0/information

// The value of one line of /proc/driver/nvidia/params, without quotes.
std::optional<std::string> find_module_param(std::string_view text, std::string_view name);

}  // namespace kernelfit
