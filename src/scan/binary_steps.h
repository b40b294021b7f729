// SPDX-License-Identifier: Apache-2.0
// The steps of reading a binary that a file in place and a stream share. For this room only.
#pragma once
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "scan/binary.h"
#include "scan/parts.h"
#include "scan/scan.h"

namespace kernelfit {

// What its headers say of an ELF or PE file: kind, processor, needs; and its sections.
std::vector<BinaryPart> describe_binary(const RandomAccess& access, BinaryKind kind,
                                        FileScan& file);

// Where a program registers its containers (docs/fatbin.md 1.1).
struct Wrappers {
  std::vector<std::uint64_t> pointers;  // 0 where only the loader fills them in
  bool device_linked = false;           // one of version 2
};
Wrappers read_wrappers(const RandomAccess& access, const std::vector<BinaryPart>& parts);

// Sections of containers that have none yet.
void name_sections(const std::vector<BinaryPart>& parts, FileScan& file);

}  // namespace kernelfit
