// SPDX-License-Identifier: Apache-2.0
// Which GPU code a binary holds, container by container, as it was read: raw truth, not yet a
// verdict. The rules that turn it into one are in judge (docs/fatbin.md: a container with one small
// image proves nothing; the commonest set of the containers is the library's; dispatch libraries
// count by union).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "version/version.h"

namespace kernelfit {

// All containers of one file that hold the same set of architectures.
struct ContainerGroup {
  std::string section;          // ".nv_fatbin", "__nv_relfatbin"
  std::vector<GpuArch> archs;   // sorted, unique; SASS, PTX and LTO-IR
  std::int64_t containers = 0;  // how many containers hold exactly this set
  std::int64_t images = 0;
  std::int64_t code_bytes = 0;  // uncompressed size of all images
  bool relocatable = false;     // from __nv_relfatbin: its PTX counts for JIT linking
};

struct BinaryImages {
  std::string file;                    // path it was read from
  std::vector<ContainerGroup> groups;  // most containers first
  DottedVersion ptx_isa;               // highest PTX ISA of its PTX entries, empty: no PTX
  std::string compression;             // "none", "lz4", "zstd", "lz4 zstd"
  std::vector<std::string> problems;   // "offset 4711: entry is longer than its container"
};

}  // namespace kernelfit
