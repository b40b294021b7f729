// SPDX-License-Identifier: Apache-2.0
// The section table of a little-endian ELF file (64 or 32 bit), read in place: a 1 GB library costs
// a few reads. ELF-64 Object File Format, version 1.5; System V ABI, chapter 4, for 32 bit.
// Errors name the field and the offset. Big-endian files are refused: no CUDA host is one.
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
  std::uint64_t size_bytes = 0;  // of what is in the file: 0 for NOBITS, clamped to the file's end
  bool no_bits = false;          // SHT_NOBITS: it is not in this file, as in a split .debug file
};

struct ElfFile {
  std::uint16_t machine = 0;  // 62 x86-64, 183 AArch64, 190 CUDA
  std::uint16_t type = 0;     // 1 REL, 2 EXEC, 3 DYN
  bool is_64_bit = true;
  std::vector<ElfSection> sections;
  std::vector<std::string> problems;  // sections that could not be read whole; the rest stands
};

bool looks_like_elf(Bytes first_bytes);
// An error where there is no usable section table; what is wrong with one section is a problem.
Result<ElfFile> parse_elf(const RandomAccess& file);

}  // namespace kernelfit
