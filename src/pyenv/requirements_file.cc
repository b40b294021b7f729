// SPDX-License-Identifier: Apache-2.0
#include "pyenv/requirements_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace kernelfit {
namespace {

using Kind = RequirementsLine::Kind;

// ------------------------------------------------------------- encoding

void append_utf8(std::string& out, std::uint32_t code) {
  if (code >= 0x110000 || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kFirst[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

std::uint32_t unit_at(std::string_view bytes, std::size_t at, std::size_t size, bool big) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = at + (big ? i : size - 1 - i);
    out = (out << 8) | static_cast<unsigned char>(bytes[from]);
  }
  return out;
}

std::string from_wide(std::string_view bytes, std::size_t size, bool big) {
  std::string out;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint32_t code = unit_at(bytes, at, size, big);
    const bool high = size == 2 && code >= 0xD800 && code < 0xDC00;
    if (high && at + 4 <= bytes.size()) {
      const std::uint32_t low = unit_at(bytes, at + 2, 2, big);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(out, code);
  }
  return out;
}

// -------------------------------------------------------- logical lines

struct Line {
  std::size_t number;
  std::string text;
};

// Where a comment begins: a # at the start or behind white space.
std::size_t comment_start(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return at;
  }
  return std::string_view::npos;
}

// A comment ends a continued line, and is never continued itself.
std::vector<Line> joined_lines(std::string_view text) {
  std::vector<Line> out;
  std::size_t number = 0;
  bool open = false;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const bool comment = trim(line).starts_with('#');
    const bool continues = line.ends_with('\\') && !comment;
    if (!open) out.push_back({number, {}});
    std::string_view part = line;
    while (continues && part.ends_with('\\')) part.remove_suffix(1);
    if (comment) out.back().text += ' ';
    out.back().text += part;
    open = continues;
  }
  for (Line& line : out)
    line.text = trim(std::string_view(line.text).substr(0, comment_start(line.text)));
  std::erase_if(out, [](const Line& line) { return line.text.empty(); });
  return out;
}

// -------------------------------------------------------------- options

struct Option {
  std::string_view name;
  char letter;
  bool value;
};

constexpr Option kOptions[] = {
    {"--requirement", 'r', true},
    {"--constraint", 'c', true},
    {"--editable", 'e', true},
    {"--index-url", 'i', true},
    {"--pypi-url", 0, true},
    {"--extra-index-url", 0, true},
    {"--no-index", 0, false},
    {"--find-links", 'f', true},
    {"--no-binary", 0, true},
    {"--only-binary", 0, true},
    {"--prefer-binary", 0, false},
    {"--require-hashes", 0, false},
    {"--pre", 0, false},
    {"--trusted-host", 0, true},
    {"--use-feature", 0, true},
    {"--hash", 0, true},
    {"--global-option", 0, true},
    {"--install-option", 0, true},
    {"--build-option", 0, true},
    {"--config-settings", 'C', true},
    {"--config-setting", 0, true},
    {"--all-releases", 0, true},
    {"--only-final", 0, true},
    {"--uploaded-prior-to", 0, true},
    {"--always-unzip", 'Z', false},
    {"--process-dependency-links", 0, false},
};

// Words as a shell would split them: quotes hold white space.
std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    const bool space = quote == 0 && (c == ' ' || c == '\t');
    if (space) {
      inside = false;
      continue;
    }
    if (!inside) out.emplace_back();
    inside = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      out.back() += c;
    }
  }
  return out;
}

struct Given {
  const Option* option = nullptr;
  std::optional<std::string> value;  // where it stands in the same word
};

// "--index-url=URL", "-rother.txt", "-r"
Given option_in(std::string_view word) {
  for (const Option& option : kOptions) {
    if (word == option.name) return {&option, {}};
    if (word.starts_with(option.name) && word[option.name.size()] == '=')
      return {&option, std::string(word.substr(option.name.size() + 1))};
    const bool letter = option.letter != 0 && word.size() > 1 && word[1] == option.letter;
    if (!letter || word.starts_with("--")) continue;
    if (word.size() == 2) return {&option, {}};
    return {&option, std::string(word.substr(2))};
  }
  return {};
}

RequirementsLine line_of(std::size_t number, const Option& option, std::string value) {
  if (option.letter == 'r') return {number, Kind::requirements, std::move(value)};
  if (option.letter == 'c') return {number, Kind::constraints, std::move(value)};
  if (option.letter == 'e') return {number, Kind::editable, std::move(value)};
  return {number, Kind::option, std::string(option.name)};
}

void add_options(const Line& line, std::vector<RequirementsLine>& out) {
  const std::vector<std::string> words = shell_words(line.text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    Given given = option_in(words[i]);
    const bool follows = given.option != nullptr && given.option->value && !given.value;
    const bool missing = follows && i + 1 == words.size();
    if (given.option == nullptr || missing) {
      out.push_back({line.number, Kind::unknown, words[i]});
      return;
    }
    if (follows) given.value = words[++i];
    out.push_back(line_of(line.number, *given.option, given.value.value_or("")));
  }
}

// "numpy>=1.26 --hash=sha256:00": what stands before the first word with a dash.
std::string_view without_options(std::string_view line) {
  for (std::size_t at = line.find(" -"); at != std::string_view::npos;
       at = line.find(" -", at + 1)) {
    // A marker's text or a path may hold " - ".
    if (at + 2 < line.size() && line[at + 2] != ' ') return trim(line.substr(0, at));
  }
  return line;
}

}  // namespace

std::string decoded_text(std::string_view bytes) {
  constexpr std::string_view kUtf32Little("\xFF\xFE\0\0", 4), kUtf32Big("\0\0\xFE\xFF", 4);
  if (bytes.starts_with("\xEF\xBB\xBF")) return std::string(bytes.substr(3));
  if (bytes.starts_with(kUtf32Little)) return from_wide(bytes.substr(4), 4, false);
  if (bytes.starts_with(kUtf32Big)) return from_wide(bytes.substr(4), 4, true);
  if (bytes.starts_with("\xFF\xFE")) return from_wide(bytes.substr(2), 2, false);
  if (bytes.starts_with("\xFE\xFF")) return from_wide(bytes.substr(2), 2, true);
  return std::string(bytes);
}

std::vector<RequirementsLine> parse_requirements(std::string_view text) {
  std::vector<RequirementsLine> out;
  for (const Line& line : joined_lines(text)) {
    if (line.text.starts_with('-')) {
      add_options(line, out);
    } else {
      out.push_back({line.number, Kind::requirement, std::string(without_options(line.text))});
    }
  }
  return out;
}

}  // namespace kernelfit
