// SPDX-License-Identifier: Apache-2.0
// Small words for text that every room uses. Nothing here knows a locale.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernelfit {

std::string_view trim(std::string_view text);                               // ASCII white space
std::vector<std::string_view> split(std::string_view text, char separator);  // keeps empty parts
std::vector<std::string_view> split_words(std::string_view text);            // runs of white space
std::vector<std::string_view> lines_of(std::string_view text);  // without \n, \r\n; no last empty
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower(std::string_view text);  // ASCII
bool contains(std::string_view text, std::string_view part);
bool contains_word(std::string_view words, std::string_view word);  // in a space-separated list
std::string replace_all(std::string text, std::string_view from, std::string_view to);
std::optional<std::int64_t> parse_int(std::string_view text);   // the whole text, decimal
std::optional<std::uint64_t> parse_hex(std::string_view text);  // "0x10de" or "10de"

// The text behind `key` up to the end of the line, trimmed; nothing if no line starts with it.
std::optional<std::string_view> line_value(std::string_view text, std::string_view key);

// Fills `{name}` from the list; an unknown name stays as it is, `{{` is a brace.
using Fill = std::vector<std::pair<std::string, std::string>>;
std::string fill(std::string_view pattern, const Fill& values);

// Terminal columns (wide characters are 2, combining ones 0), and padding by them.
int display_width(std::string_view utf8);
std::string pad_right(std::string_view utf8, int columns);
// Breaks at spaces (and between wide characters) so that no line is wider than `columns`.
std::vector<std::string> wrap(std::string_view utf8, int columns);

// Replaces what is not UTF-8 by U+FFFD and control characters other than \n and \t by '?':
// whatever a file or a program said can then be printed and put into JSON.
std::string printable(std::string_view raw);

// Quotes for a POSIX shell only where needed: torch==2.13.0+cu126 stays, "cudnn<9.11" is quoted.
std::string shell_quote(std::string_view word);

}  // namespace kernelfit
