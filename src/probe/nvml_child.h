// SPDX-License-Identifier: Apache-2.0
// The answer of the hidden command `kernelfit __nvml`, which loads NVML and libcuda in a process of
// its own. It prints one JSON object; a recorded host has it as the output of
// ["kernelfit","__nvml"]:
//
//   {"nvml": {"state": "ok", "code": 0, "error": "", "library":
//   "/usr/lib/…/libnvidia-ml.so.535.183.01",
//             "driver_version": "535.183.01", "cuda_version": 12020,
//             "gpus": [{"index": 0, "name": "NVIDIA GeForce RTX 3090", "pci_bus_id":
//             "00000000:01:00.0",
//                       "pci_device_id": "0x220410DE", "pci_subsystem_id": "0x87AD1043",
//                       "compute_capability": "8.6", "memory_mib": 24576, "uuid": "GPU-…",
//                       "mig": false, "mig_instances": 0, "mig_uuids": [], "compute_mode":
//                       "Default", "driver_model": "WDDM", "virtualization": "None"}]},
//    "libcuda": {"state": "ok", "library": "/usr/lib/…/libcuda.so.535.183.01", "cuda_version":
//    12020}}
//
// `state` is one of Driver::nvml's words. What could not be asked is left out. The child prints
// what NVML said before it asks libcuda, then all of it once more, one line each: the last line
// that can be read counts. So a library that crashes is known by what is missing, and costs no
// other's answer; one that hangs ("timed-out") is left behind after a time of its own.
#pragma once
#include <chrono>
#include <string_view>

#include "base/json.h"
#include "nvidia/smi.h"

namespace kernelfit {

// Together less than the 20 s that the child has. After a crash of NVML a second child asks libcuda
// alone.
constexpr std::chrono::milliseconds kNvmlTime{14000}, kLibcudaTime{4000};
constexpr std::chrono::milliseconds kChildTime{20000}, kSecondChildTime{5000};

struct NvmlAnswer {
  std::string state;  // empty: the child said nothing that can be read
  std::int64_t code = 0;
  std::string error, library;
  SmiAnswer answer;
};
struct LibcudaAnswer {
  std::string state, library;
  DottedVersion cuda_max;
};
struct ChildAnswer {
  NvmlAnswer nvml;
  LibcudaAnswer libcuda;
};
Result<ChildAnswer> parse_nvml_child(std::string_view json);

}  // namespace kernelfit
