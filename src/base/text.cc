// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "base/visible.h"

namespace kernelfit {
namespace {
constexpr std::string_view kSpace = " \t\r\n\v\f";
bool is_space(char c) {
  return kSpace.find(c) != std::string_view::npos;
}
}  // namespace

std::string_view trim(std::string_view text) {
  auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    auto at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_space(text[at])) ++at;
    std::size_t start = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (at > start) out.push_back(text.substr(start, at - start));
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    auto at = text.find('\n');
    auto line = text.substr(0, at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back(line);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool contains_word(std::string_view words, std::string_view word) {
  auto all = split_words(words);
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint64_t value = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (status != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<std::string_view> line_value(std::string_view text, std::string_view key) {
  for (auto line : lines_of(text)) {
    if (line.starts_with(key)) return trim(line.substr(key.size()));
  }
  return {};
}

std::string fill(std::string_view pattern, const Fill& values) {
  std::string out;
  while (!pattern.empty()) {
    auto at = pattern.find('{');
    out += pattern.substr(0, at);
    if (at == std::string_view::npos) break;
    pattern.remove_prefix(at);
    if (pattern.starts_with("{{")) {
      out += '{';
      pattern.remove_prefix(2);
      continue;
    }
    auto close = pattern.find('}');
    auto name = close == std::string_view::npos ? "" : pattern.substr(1, close - 1);
    auto it = std::find_if(values.begin(), values.end(),
                           [&](const auto& value) { return !name.empty() && value.first == name; });
    if (it == values.end()) {
      out += '{';
      pattern.remove_prefix(1);
      continue;
    }
    out += it->second;
    pattern.remove_prefix(close + 1);
  }
  return out;
}

namespace {

// "$(printf 'a\033b')": what every POSIX shell reads back, and what a person can see and paste.
std::string quote_spelt_out(std::string_view word) {
  std::string out = "\"$(printf '";
  while (!word.empty()) {
    const Glyph glyph = next_glyph(word);
    const std::string_view bytes = word.substr(0, glyph.bytes);
    word.remove_prefix(glyph.bytes);
    const bool special = bytes == "\\" || bytes == "'" || bytes == "%";
    const bool shows = !special && visible(bytes) == bytes;
    if (shows) out += bytes;
    if (shows) continue;
    for (const char byte : bytes) {
      std::array<char, 8> text{};
      std::snprintf(text.data(), text.size(), "\\%03o", static_cast<unsigned char>(byte));
      out += text.data();
    }
  }
  return out + "')\"";
}

}  // namespace

std::string shell_quote(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./:@%,~";
  // A tilde in front is a home folder to the shell.
  bool plain =
      !word.empty() && word[0] != '~' && word.find_first_not_of(kPlain) == std::string_view::npos;
  if (plain) return std::string(word);
  if (visible(word) != word) return quote_spelt_out(word);
  if (word.find_first_of("\"$`\\!") == std::string_view::npos) {
    return '"' + std::string(word) + '"';  // reads the same in POSIX shells, cmd and PowerShell
  }
  return '\'' + replace_all(std::string(word), "'", "'\\''") + '\'';
}

}  // namespace kernelfit
