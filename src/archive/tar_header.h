// SPDX-License-Identifier: Apache-2.0
// The 512-byte header of a tar member: POSIX.1-2017 ustar, GNU tar, and the older one without a
// magic. Private to the room.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace kernelfit {

constexpr std::size_t kTarBlock = 512;

struct TarHeader {
  std::string name, link_target;
  char type = '0';
  std::uint64_t size = 0;
  bool gnu = false;  // "ustar  ": what ustar has as a prefix is GNU's own
};

// The checksum is right: a tar's header, whatever else it says.
bool is_tar_header(Bytes block);
// Nothing where the checksum or a number is wrong. `block` is 512 bytes.
std::optional<TarHeader> parse_tar_header(Bytes block);
// Octal digits, or base 256 where the first bit is set (GNU). Nothing for what is neither.
std::optional<std::uint64_t> parse_tar_number(Bytes field);

}  // namespace kernelfit
