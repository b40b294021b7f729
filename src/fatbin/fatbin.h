// SPDX-License-Identifier: Apache-2.0
// CUDA fat binaries: containers of GPU code for several architectures. NVIDIA does not document the
// format; docs/fatbin.md says how each field was learned and which tools agree.
// Only headers are read (16 bytes a container, 64 an entry), never a payload.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "version/version.h"

namespace kernelfit {

struct FatbinEntry {
  GpuArch arch;
  int kind = 0;              // 1 PTX, 2 cubin, 8 LTO-IR, 0x40 relocatable PTX
  DottedVersion ptx_isa;     // PTX entries: "8.5"
  std::string compression;   // "none", "lz4", "zstd"
  bool obfuscated = false;   // LTO-IR whose content cannot be read
  std::uint64_t offset = 0;  // of the entry's header in the file
  std::uint64_t payload_offset = 0;
  std::uint64_t stored_bytes = 0;  // payload as stored, padding left out where it is known
  std::uint64_t code_bytes = 0;    // uncompressed
};

struct FatbinContainer {
  std::string section;
  std::uint64_t offset = 0;
  std::vector<FatbinEntry> entries;  // of known kind and architecture; others are problems
};

struct FatbinListing {
  std::vector<FatbinContainer> containers;
  std::vector<std::string> problems;  // "offset 4711: …"; what stands before the fault is kept
};

bool looks_like_fatbin(Bytes first_bytes);  // a container's magic
// Containers back to back in [offset, offset + size) of the file.
FatbinListing list_containers(const RandomAccess& file, std::uint64_t offset, std::uint64_t size,
                              std::string_view section);

}  // namespace kernelfit
