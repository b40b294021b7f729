// SPDX-License-Identifier: Apache-2.0
// One primitive for finding things in text without regular expressions: the longest runs of some
// characters, each looked at together with what stands before and behind it.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// edit(run, before, behind) -> what stands in its place.
template <typename IsPart, typename Edit>
std::string replace_runs(std::string_view text, IsPart is_part, Edit edit) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t start = at;
    while (at < text.size() && !is_part(text[at])) ++at;
    out.append(text.substr(start, at - start));
    start = at;
    while (at < text.size() && is_part(text[at])) ++at;
    if (at > start) {
      out.append(edit(text.substr(start, at - start), text.substr(0, start), text.substr(at)));
    }
  }
  return out;
}

}  // namespace kernelfit
