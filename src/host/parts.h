// SPDX-License-Identifier: Apache-2.0
// A large file of which only some ranges are kept (.kfparts): what a recording stores of a
// two-gigabyte library from which a few headers were read.
//
//   "KFPARTS1"  le64 size of the whole file  le64 count  count × (le64 offset, le64 size)
//   then the bytes of all parts, one after the other. Parts are sorted and do not overlap.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

struct Part {
  std::uint64_t offset = 0;
  std::string bytes;
};

struct PartsFile {
  std::uint64_t size_bytes = 0;
  std::vector<Part> parts;
  bool zero_fill = false;  // what was not kept reads as zeros; otherwise it is an error

  Status read(std::uint64_t offset, std::span<std::byte> into) const;
  // Keeps one more range, merging what touches or overlaps.
  void add(std::uint64_t offset, std::string_view bytes);
};

Result<PartsFile> parse_parts(std::string_view text);
std::string render_parts(const PartsFile& file);
std::unique_ptr<RandomAccess> open_parts(PartsFile file);

}  // namespace kernelfit
