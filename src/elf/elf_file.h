// SPDX-License-Identifier: Apache-2.0
// The section table of an ELF64 little-endian file, read in place: a 1 GB library costs a few reads.
// ELF-64 Object File Format, version 1.5. Errors name the field and the offset.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;   // of what is in the file: 0 for NOBITS
};

struct ElfFile {
  std::uint16_t machine = 0;      // 62 x86-64, 183 AArch64, 190 CUDA
  std::uint16_t type = 0;         // 1 REL, 2 EXEC, 3 DYN
  std::vector<ElfSection> sections;
  std::vector<std::string> problems;   // sections that could not be read; the rest stands
};

bool looks_like_elf(Bytes first_bytes);
Result<ElfFile> parse_elf(const RandomAccess& file);

}  // namespace kernelfit
