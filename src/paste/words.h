// SPDX-License-Identifier: Apache-2.0
// The words without which a pattern cannot match: what is looked for in a text before any pattern
// is compiled.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

// Shorter words are in every line.
inline constexpr std::size_t kShortestWord = 3;

using AnyOf = std::vector<std::string>;  // one of these, ASCII letters in lower case

struct Needs {
  std::vector<AnyOf> words;  // of each list one word; empty: nothing is known to be needed
  AnyOf phrase;              // the longest run of characters, as long as none stands in quotes
};

// `pattern` in the syntax of RE2 (of \Q, \C and \p nothing is concluded). One element for each
// alternative: where the pattern matches, one of them holds in the text. Letters that are not ASCII
// are taken as they stand.
std::vector<Needs> needs_of(std::string_view pattern);

std::size_t shortest(const AnyOf& texts);            // in bytes; 0 of none
const AnyOf* rarest(const std::vector<AnyOf>& any);  // that with the longest words; null of none

}  // namespace kernelfit
