// SPDX-License-Identifier: Apache-2.0
// Text that came from outside (a folder's name, a card's, a line of a log, an argument), as a
// terminal or a forum may show it: what cannot be seen is spelt out, so that no value can move the
// cursor, turn the direction of reading, or begin a line of its own.
#pragma once
#include <string>
#include <string_view>

#include "base/text.h"

namespace kernelfit {

// Control characters, bidi controls, zero-width characters and what is not UTF-8 as "\x1b", "\n",
// "\u202e", "\xff". What is shown once stays as it is.
std::string visible(std::string_view raw);

// The same, line by line: the line breaks are ours.
std::string visible_lines(std::string_view text);

// One code point from the front of `text`, which is not empty; -1 and one byte where it is not
// UTF-8.
struct Glyph {
  std::int32_t code;
  std::size_t bytes;
};
Glyph next_glyph(std::string_view text);

// Whether `visible` spells a code point out.
bool is_unseen(std::int32_t code);

// fill() with every value made visible; a value inside `code` cannot end it.
std::string fill_visible(std::string_view pattern, const Fill& values);

}  // namespace kernelfit
