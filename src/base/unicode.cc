// SPDX-License-Identifier: Apache-2.0
// The parts of text.h that need Unicode tables; utf8proc is used here only.
#include <utf8proc.h>

#include "base/text.h"

namespace kernelfit {
namespace {

// One code point from the front of `text`; -1 and one byte where it is not UTF-8.
struct Glyph {
  std::int32_t code;
  std::size_t bytes;
};
Glyph next_glyph(std::string_view text) {
  utf8proc_int32_t code = -1;
  auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return {-1, 1};
  return {code, static_cast<std::size_t>(bytes)};
}
int width_of(std::int32_t code) { return code < 0 ? 1 : utf8proc_charwidth(code); }

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

std::string printable(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    Glyph glyph = next_glyph(raw);
    bool control = glyph.code >= 0 && (glyph.code < 0x20 || (glyph.code >= 0x7f && glyph.code < 0xa0));
    if (glyph.code < 0) {
      out += "\xEF\xBF\xBD";
    } else if (control && glyph.code != '\n' && glyph.code != '\t') {
      out += '?';
    } else {
      out += raw.substr(0, glyph.bytes);
    }
    raw.remove_prefix(glyph.bytes);
  }
  return out;
}

}  // namespace kernelfit
