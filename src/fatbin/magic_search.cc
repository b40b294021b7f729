// SPDX-License-Identifier: Apache-2.0
#include "fatbin/magic_search.h"

#include <cstdint>
#include <cstring>

namespace kernelfit {
namespace {

// As they read in the byte order of this machine.
std::uint32_t word(const char (&text)[5]) {
  std::uint32_t value;
  std::memcpy(&value, text, 4);
  return value;
}

struct Magics {
  std::uint32_t container = word("\x50\xed\x55\xba");
  std::uint32_t elf = word(
      "\x7f"
      "ELF");
  std::uint32_t bundle = word("__CL");
  std::uint32_t compressed_bundle = word("CCOB");
};

bool is_magic(std::uint32_t value, const Magics& magics) {
  return value == magics.container || value == magics.elf || value == magics.bundle ||
         value == magics.compressed_bundle;
}

constexpr std::size_t kBlock = 64;  // words; long enough for the compiler to use vectors

bool block_has_magic(const std::byte* at, const Magics& magics) {
  std::uint32_t words[kBlock];
  std::memcpy(words, at, sizeof words);
  std::uint32_t found = 0;
  for (std::uint32_t value : words) {
    found |= static_cast<std::uint32_t>(value == magics.container) |
             static_cast<std::uint32_t>(value == magics.elf) |
             static_cast<std::uint32_t>(value == magics.bundle) |
             static_cast<std::uint32_t>(value == magics.compressed_bundle);
  }
  return found != 0;
}

}  // namespace

std::size_t find_magic(Bytes bytes, std::size_t from) {
  const Magics magics;
  const std::size_t end = bytes.size() & ~std::size_t{3};
  std::size_t at = from;
  for (;;) {
    while (end - at >= kBlock * 4 && !block_has_magic(bytes.data() + at, magics)) at += kBlock * 4;
    if (at >= end) return end;
    const std::size_t stop = end - at >= kBlock * 4 ? at + kBlock * 4 : end;
    for (; at < stop; at += 4) {
      std::uint32_t value;
      std::memcpy(&value, bytes.data() + at, 4);
      if (is_magic(value, magics)) return at;
    }
  }
}

}  // namespace kernelfit
