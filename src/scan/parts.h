// SPDX-License-Identifier: Apache-2.0
// The sections of a file, the same for ELF and PE, which a hostile one lays over each other. For
// this room only.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elf/elf_file.h"
#include "pe/pe_file.h"

namespace kernelfit {

struct BinaryPart {
  std::string name;
  std::uint64_t offset = 0, size_bytes = 0;
  bool executable = false;
  bool no_bits = false;

  std::uint64_t end() const { return offset + size_bytes; }
};

// .nv_fatbin and __nv_relfatbin.
bool holds_containers(std::string_view name);

std::vector<BinaryPart> parts_of(const ElfFile& elf);
std::vector<BinaryPart> parts_of(const PeFile& pe);  // with whole names, where they were cut

// Sorted by offset; a byte that several claim belongs to the one that begins first, of those the
// first in the table. `overlap`: whether there was such a byte; may be null.
std::vector<BinaryPart> disjoint(std::vector<BinaryPart> parts, bool* overlap = nullptr);
// Those of one name.
std::vector<BinaryPart> named(const std::vector<BinaryPart>& parts, std::string_view name);

// [from, to) without `parts`, which may overlap.
struct Range {
  std::uint64_t from = 0, to = 0;
};
std::vector<Range> without(std::uint64_t from, std::uint64_t to, std::vector<BinaryPart> parts);

}  // namespace kernelfit
