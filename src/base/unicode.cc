// SPDX-License-Identifier: Apache-2.0
// The parts of text.h that need Unicode tables; utf8proc is used here only.
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "base/visible.h"

namespace kernelfit {

Glyph next_glyph(std::string_view text) {
  utf8proc_int32_t code = -1;
  auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return {-1, 1};
  return {code, static_cast<std::size_t>(bytes)};
}

namespace {

int width_of(std::int32_t code) {
  return code < 0 ? 1 : utf8proc_charwidth(code);
}

}  // namespace

int display_width(std::string_view utf8) {
  int width = 0;
  while (!utf8.empty()) {
    Glyph glyph = next_glyph(utf8);
    width += width_of(glyph.code);
    utf8.remove_prefix(glyph.bytes);
  }
  return width;
}

std::string pad_right(std::string_view utf8, int columns) {
  std::string out(utf8);
  int missing = columns - display_width(utf8);
  if (missing > 0) out.append(static_cast<std::size_t>(missing), ' ');
  return out;
}

std::vector<std::string> wrap(std::string_view utf8, int columns) {
  std::vector<std::string> out;
  std::string line;
  int width = 0;
  std::size_t break_at = std::string::npos;  // where `line` may be cut, npos: nowhere yet
  auto flush = [&](std::size_t cut) {
    std::string rest = cut == std::string::npos ? "" : line.substr(cut);
    if (cut != std::string::npos) line.resize(cut);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out.push_back(line);
    line = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
    width = display_width(line);
    break_at = std::string::npos;
  };
  while (!utf8.empty()) {
    Glyph glyph = next_glyph(utf8);
    int glyph_width = width_of(glyph.code);
    if (glyph.code == '\n') {
      flush(std::string::npos);
      line.clear();
      width = 0;
      utf8.remove_prefix(1);
      continue;
    }
    if (width + glyph_width > columns && glyph.code != ' ' && !line.empty()) {
      flush(break_at != std::string::npos ? break_at : line.size());
    }
    if (glyph.code == ' ' && line.empty() && !out.empty()) {
      utf8.remove_prefix(glyph.bytes);
      continue;
    }
    line += utf8.substr(0, glyph.bytes);
    width += glyph_width;
    // A Chinese full stop or comma must not begin a line, so no break before one.
    Glyph next = next_glyph(utf8.substr(glyph.bytes));
    bool closes = next.code == 0x3002 || next.code == 0xFF0C || next.code == 0x3001 ||
                  next.code == 0xFF1B || next.code == 0xFF1A || next.code == 0xFF09;
    if (glyph.code == ' ' || (glyph_width == 2 && !closes)) break_at = line.size();
    utf8.remove_prefix(glyph.bytes);
  }
  if (!line.empty() || out.empty()) flush(std::string::npos);
  return out;
}

namespace {

bool is_control(std::int32_t code) {
  return code >= 0 && (code < 0x20 || (code >= 0x7f && code < 0xa0));
}

// "\\u202e" of a code point, "\\xff" of a byte that is no character.
std::string spelt_out(const Glyph& glyph, std::string_view raw) {
  if (glyph.code == '\n') return "\\n";
  if (glyph.code == '\r') return "\\r";
  if (glyph.code == '\t') return "\\t";
  const auto value =
      static_cast<unsigned>(glyph.code < 0 ? static_cast<unsigned char>(raw[0]) : glyph.code);
  std::array<char, 16> out{};
  if (glyph.code < 0x80) {
    std::snprintf(out.data(), out.size(), "\\x%02x", value);
  } else if (value <= 0xffff) {
    std::snprintf(out.data(), out.size(), "\\u%04x", value);
  } else {
    std::snprintf(out.data(), out.size(), "\\U%08x", value);
  }
  return out.data();
}

// Printable ASCII is most of what is ever shown.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

// Unicode 15, general categories Cc, Cf (without the marks that scripts need to be read) and the
// two line separators.
bool is_unseen(std::int32_t code) {
  if (is_control(code)) return true;
  return code == 0xad || code == 0x61c || code == 0x180e || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe007f);
}

std::string visible(std::string_view raw) {
  if (is_plain(raw)) return std::string(raw);
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const Glyph glyph = next_glyph(raw);
    const bool unseen = glyph.code < 0 || is_unseen(glyph.code);
    out += unseen ? spelt_out(glyph, raw) : std::string(raw.substr(0, glyph.bytes));
    raw.remove_prefix(glyph.bytes);
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  for (;;) {
    const auto end = text.find('\n');
    out += visible(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string fill_visible(std::string_view pattern, const Fill& values) {
  Fill shown, in_code;
  for (const auto& [name, value] : values) {
    shown.emplace_back(name, visible(value));
    in_code.emplace_back(name, replace_all(shown.back().second, "`", "\\x60"));
  }
  std::string out;
  bool is_code = false;
  for (;; is_code = !is_code) {
    const auto tick = pattern.find('`');
    out += fill(pattern.substr(0, tick), is_code ? in_code : shown);
    if (tick == std::string_view::npos) return out;
    out += '`';
    pattern.remove_prefix(tick + 1);
  }
}

std::string printable(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    Glyph glyph = next_glyph(raw);
    if (glyph.code < 0) {
      out += "\xEF\xBF\xBD";
    } else if (is_control(glyph.code) && glyph.code != '\n' && glyph.code != '\t') {
      out += '?';
    } else {
      out += raw.substr(0, glyph.bytes);
    }
    raw.remove_prefix(glyph.bytes);
  }
  return out;
}

}  // namespace kernelfit
