// SPDX-License-Identifier: Apache-2.0
// The extended header of a pax archive: "27 path=torch/lib/x.so\n" and so on (POSIX.1-2017, pax).
// Private to the room.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct PaxValues {
  std::optional<std::string> path, link_path, sparse_name;
  std::optional<std::uint64_t> size;
  // GNU's sparse files (tar's manual, "PAX Format, Versions 0.0, 0.1 and 1.0").
  bool sparse = false;
  bool sparse_map_in_content = false;        // version 1
  std::optional<std::uint64_t> sparse_size;  // with the holes
  std::vector<std::uint64_t> sparse_map;     // offset, size, offset, size, …
};

// The decimal numbers of extended headers and sparse maps: not negative.
std::optional<std::uint64_t> parse_pax_number(std::string_view text);

// Later records win. False where a record is not as it must be; those before it stand.
bool read_pax(std::string_view records, PaxValues& into);

}  // namespace kernelfit
