// SPDX-License-Identifier: Apache-2.0
// What the three formats share: problems with their offsets, names that may not be used. Private to
// the room.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

// At most 16 problems, then one line that counts the rest: a hostile archive has millions.
class Problems {
 public:
  void add(std::uint64_t offset, const std::string& text);
  std::vector<std::string> take();

 private:
  std::vector<std::string> lines_;
  std::uint64_t left_out_ = 0;
};

std::string quoted_name(std::string_view name);  // printable, cut at 200 bytes

// Why a name may not be used: "is absolute"; empty for a good one.
std::string_view name_fault(std::string_view name);
// The same of a name that is a path by its nature, wherever it leads: of a thin archive's member.
std::string_view path_fault(std::string_view name);

}  // namespace kernelfit
