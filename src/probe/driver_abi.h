// SPDX-License-Identifier: Apache-2.0
// The few functions of NVML and of the CUDA driver that are called, as NVIDIA documents them:
//   NVML API Reference Guide, docs.nvidia.com/deploy/nvml-api (device queries, device structs)
//   CUDA Driver API, docs.nvidia.com/cuda/cuda-driver-api, "Version Management"
// Own prototypes: NVIDIA's headers are not needed to build. A symbol that a driver does not have
// yet, or no more, is a question that is not asked.
#pragma once

namespace kernelfit::abi {

using NvmlDevice = void*;  // nvmlDevice_t, an opaque pointer

// nvmlReturn_t, "Return codes"
enum NvmlReturn : int {
  kSuccess = 0,
  kNotSupported = 3,
  kNoPermission = 4,
  kDriverNotLoaded = 9,
  kLibraryNotFound = 12,
  kGpuIsLost = 15,
  kResetRequired = 16,
  kOperatingSystem = 17,
  kLibRmVersionMismatch = 18,
};

// nvmlPciInfo_t. Versions 2 and 3 of the query agree up to pci_subsystem_id; version 3 adds bus_id.
struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device;
  unsigned pci_device_id;     // device << 16 | vendor
  unsigned pci_subsystem_id;  // device << 16 | vendor
  char bus_id[32];
};

// nvmlMemory_t
struct NvmlMemory {
  unsigned long long total, free, used;  // bytes
};

using NvmlInit = int();                                   // nvmlInit_v2
using NvmlErrorString = const char*(int);                 // nvmlErrorString
using NvmlSystemText = int(char*, unsigned);              // nvmlSystemGetDriverVersion
using NvmlSystemNumber = int(int*);                       // nvmlSystemGetCudaDriverVersion[_v2]
using NvmlCount = int(unsigned*);                         // nvmlDeviceGetCount_v2
using NvmlHandle = int(unsigned, NvmlDevice*);            // nvmlDeviceGetHandleByIndex_v2
using NvmlDeviceText = int(NvmlDevice, char*, unsigned);  // nvmlDeviceGetName, …GetUUID
using NvmlDevicePci = int(NvmlDevice, NvmlPciInfo*);      // nvmlDeviceGetPciInfo_v2, _v3
using NvmlDevicePair = int(NvmlDevice, int*, int*);  // …GetCudaComputeCapability, …GetMigMode
using NvmlDeviceMemory = int(NvmlDevice, NvmlMemory*);         // nvmlDeviceGetMemoryInfo
using NvmlDeviceNumber = int(NvmlDevice, int*);                // …GetComputeMode, …
using NvmlMigHandle = int(NvmlDevice, unsigned, NvmlDevice*);  // …GetMigDeviceHandleByIndex

using CuDriverGetVersion = int(int*);  // needs no cuInit
constexpr int kCudaErrorStubLibrary = 34;

}  // namespace kernelfit::abi
