// SPDX-License-Identifier: Apache-2.0
// The extended header of a pax archive: "27 path=torch/lib/x.so\n" and so on (POSIX.1-2017, pax).
// Private to the room.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kernelfit {

struct PaxValues {
  std::optional<std::string> path, link_path, sparse_name;
  std::optional<std::uint64_t> size;
  bool sparse = false;
};

// Later records win. False where a record is not as it must be; those before it stand.
bool read_pax(std::string_view records, PaxValues& into);

}  // namespace kernelfit
