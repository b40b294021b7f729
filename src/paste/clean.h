// SPDX-License-Identifier: Apache-2.0
// A line of what people paste, made plain: colours, HTML entities, full-width marks, quotes of a
// mail or a forum, time stamps, and the prefixes of workers and log levels come off.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

struct PasteLine {
  int number = 0;    // in what was pasted, from 1
  std::string text;  // cleaned
};

// No line is longer; what follows is cut off (a minified script, a base64 blob).
inline constexpr std::size_t kMaximumPasteLine = 4000;

// One line. `prefixes` false: time stamps and log levels stay, for readers that know them
// themselves.
std::string clean_line(std::string_view raw, bool prefixes = true);

}  // namespace kernelfit
