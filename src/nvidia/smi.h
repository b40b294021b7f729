// SPDX-License-Identifier: Apache-2.0
// The answers of nvidia-smi: --query-gpu, -q -x, --version, and what it says when it fails. Its
// table and its banner are prose for people and are not read.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/machine.h"

namespace kernelfit {

// A card as nvidia-smi tells it. What it answers with [N/A], [Not Supported], "Unknown Error" or
// "Requested functionality has been deprecated" is not there.
struct SmiGpu {
  int index = -1;
  std::string name;         // "GeForce RTX 3090"
  std::string pci_address;  // "0000:01:00.0"
  std::optional<PciId> pci_id;
  std::optional<ComputeCapability> compute_capability;
  std::optional<std::int64_t> memory_mib;
  std::string uuid;
  std::optional<bool> mig;
  std::optional<std::int64_t> mig_instances;
  std::vector<std::string> mig_uuids;
  std::string compute_mode;    // "Default", "Exclusive_Process", "Prohibited"
  std::string driver_model;    // "WDDM", "TCC", "MCDM"
  std::string virtualization;  // "None", "Pass-Through", "VGPU"
  std::string vgpu_license;    // "Licensed", "Unlicensed"
  std::string trouble;         // "GPU is lost", "GPU requires reset": stands for some values
};

struct SmiAnswer {
  DottedVersion driver;    // empty: not told
  DottedVersion cuda_max;  // the driver library's CUDA version; empty: not told
  std::vector<SmiGpu> gpus;
};

// nvidia-smi --query-gpu=… --format=csv, read by the names in the header line. An answer without a
// header ("Field "compute_cap" is not a valid field to query.") is an error with that text.
Result<SmiAnswer> parse_smi_query(std::string_view text);

// nvidia-smi -q -x of any age. A DTD, inline or not, is stepped over; no entity of it is expanded.
Result<SmiAnswer> parse_smi_xml(std::string_view text);

// nvidia-smi --version; since R610 "KMD version" and "CUDA UMD version" say it.
SmiAnswer parse_smi_version(std::string_view text);

// Which state of Driver::nvml an error text of nvidia-smi or NVML stands for; empty: none known.
//   "Failed to initialize NVML: Driver/library version mismatch" -> "version-mismatch"
std::string_view parse_smi_error(std::string_view text);

}  // namespace kernelfit
