// SPDX-License-Identifier: Apache-2.0
// The 60-byte header of an ar member, and its name, which may be elsewhere: GNU "/123" in the table
// "//", BSD "#1/20" before the content. Private to the room.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace kernelfit {

constexpr std::size_t kArMagic = 8;  // "!<arch>\n" or "!<thin>\n"
// Of the table, and of all names together: many headers of 60 bytes may share one long name.
constexpr std::uint64_t kMaxArNames = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxArName = 4096;

struct ArHeader {
  char name[16], time[12], user[6], group[6], mode[8], size[10], end[2];
};
static_assert(sizeof(ArHeader) == 60);

struct ArEntry {
  std::string name;             // as it stands in the header, without the padding
  std::uint64_t size = 0;       // with a BSD name before the content
  std::uint64_t name_size = 0;  // of that BSD name
  bool is_names = false;        // "//"
  bool is_symbols = false;      // "/", "/SYM64/", "__.SYMDEF", and MSVC's "/<…>/"
};

// Nothing where the end mark or the size is wrong.
std::optional<ArEntry> parse_ar_header(const ArHeader& header);
// The member's own name; empty where it cannot be found. `bsd_name`: what stood before the content.
std::string ar_member_name(const ArEntry& entry, std::string_view names, std::string_view bsd_name);

}  // namespace kernelfit
