// SPDX-License-Identifier: Apache-2.0
#include "pyenv/requirement.h"

#include "base/text.h"
#include "pyenv/names.h"
#include "version/version.h"

namespace kernelfit {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

bool is_name(std::string_view text) {
  const std::string name = lower(text);
  if (name.empty() || kLetters.find(name.front()) == std::string_view::npos) return false;
  if (kLetters.find(name.back()) == std::string_view::npos) return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

// "[a, b] rest" -> the names, and `text` is the rest; false where the brackets are not right.
bool take_extras(std::string_view& text, std::vector<std::string>& into) {
  if (!text.starts_with('[')) return true;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return false;
  const std::string_view inside = trim(text.substr(1, close - 1));
  text = trim(text.substr(close + 1));
  if (inside.empty()) return true;
  for (const std::string_view extra : split(inside, ',')) {
    if (!is_name(trim(extra))) return false;
    into.emplace_back(trim(extra));
  }
  return true;
}

// A URL may hold a semicolon; the one before a marker has white space in front of it.
std::size_t end_of_url(std::string_view text) {
  for (std::size_t at = text.find(';'); at != std::string_view::npos; at = text.find(';', at + 1)) {
    if (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) return at;
  }
  return std::string_view::npos;
}

bool take_url(std::string_view text, Requirement& out) {
  text = trim(text.substr(1));
  const std::size_t semicolon = end_of_url(text);
  out.url = trim(text.substr(0, semicolon));
  if (semicolon != std::string_view::npos) out.marker = trim(text.substr(semicolon + 1));
  return !out.url.empty() && out.url.find_first_of(" \t") == std::string::npos;
}

bool take_specifier(std::string_view text, Requirement& out) {
  if (text.starts_with('(')) {
    if (!text.ends_with(')')) return false;
    text = trim(text.substr(1, text.size() - 2));
  }
  out.specifier = text;
  return VersionSpecifier::parse(text).has_value();
}

}  // namespace

std::optional<Requirement> parse_requirement(std::string_view text) {
  Requirement out;
  text = trim(text);
  const std::size_t end = text.find_first_of("[(<>=!~@; \t");
  if (!is_name(text.substr(0, end))) return std::nullopt;
  out.name = normalized_name(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view() : trim(text.substr(end));
  if (!take_extras(text, out.extras)) return std::nullopt;
  if (text.starts_with('@'))
    return take_url(text, out) ? std::optional(std::move(out)) : std::nullopt;
  const std::size_t semicolon = text.find(';');
  if (semicolon != std::string_view::npos) {
    out.marker = trim(text.substr(semicolon + 1));
    if (out.marker.empty()) return std::nullopt;
  }
  if (!take_specifier(trim(text.substr(0, semicolon)), out)) return std::nullopt;
  return out;
}

}  // namespace kernelfit
