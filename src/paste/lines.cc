// SPDX-License-Identifier: Apache-2.0
#include "paste/lines.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kSample = 128;  // bytes that show how a text is written

void append_utf8(std::string& out, std::uint32_t code) {
  auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6)), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12)), put(0x80 | ((code >> 6) & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18)), put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

bool is_high(std::uint32_t code) {
  return code >= 0xD800 && code < 0xDC00;
}

std::uint32_t unit(std::string_view bytes, std::size_t at, bool little) {
  auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
  return static_cast<std::uint32_t>(little ? a | (b << 8) : b | (a << 8));
}

// How many bytes of the front were whole characters.
std::size_t from_utf16(std::string_view bytes, bool little, std::string& out) {
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    std::uint32_t code = unit(bytes, at, little);
    if (is_high(code)) {
      if (at + 3 >= bytes.size()) break;
      const std::uint32_t low = unit(bytes, at + 2, little);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(out, code);
  }
  return at;
}

// Without a mark: every second byte of English text is zero. 1: little endian, 2: big, 0: neither.
int utf16_by_zeros(std::string_view bytes) {
  std::size_t pairs = std::min<std::size_t>(bytes.size() / 2, kSample / 2), even = 0, odd = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    even += bytes[2 * i] == 0 ? 1 : 0;
    odd += bytes[2 * i + 1] == 0 ? 1 : 0;
  }
  if (pairs < 4) return 0;
  if (odd * 4 >= pairs * 3 && even == 0) return 1;
  return even * 4 >= pairs * 3 && odd == 0 ? 2 : 0;
}

bool is_fence(std::string_view text) {
  auto bare = trim(text);
  return bare.starts_with("```") || bare.starts_with("~~~");
}

}  // namespace

void LineReader::feed(std::string_view bytes, std::vector<PasteLine>& out) {
  if (form_ == Form::undecided) {
    const std::size_t more = std::min(bytes.size(), kSample - held_.size());
    held_ += bytes.substr(0, more);
    bytes.remove_prefix(more);
    if (held_.size() < kSample) return;
    decide(out);
  }
  decode(bytes, out);
}

void LineReader::decide(std::vector<PasteLine>& out) {
  const std::string front = std::move(held_);
  held_.clear();
  std::string_view rest = front;
  const bool little_mark = rest.starts_with("\xFF\xFE"), big_mark = rest.starts_with("\xFE\xFF");
  const int zeros = little_mark || big_mark ? 0 : utf16_by_zeros(rest);
  form_ = little_mark || zeros == 1 ? Form::utf16_little
          : big_mark || zeros == 2  ? Form::utf16_big
                                    : Form::utf8;
  if (little_mark || big_mark) rest.remove_prefix(2);
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  decode(rest, out);
}

void LineReader::decode(std::string_view bytes, std::vector<PasteLine>& out) {
  if (form_ == Form::utf8) return split_lines(bytes, out);
  constexpr std::size_t kPiece = 65536;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    held_ += bytes.substr(at, kPiece);
    std::string text;
    held_.erase(0, from_utf16(held_, form_ == Form::utf16_little, text));
    split_lines(text, out);
  }
}

void LineReader::split_lines(std::string_view text, std::vector<PasteLine>& out) {
  while (!text.empty()) {
    auto end = text.find('\n');
    append(text.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line(out);
    text.remove_prefix(end + 1);
  }
}

// What a progress bar wrote over is gone from the screen as well.
void LineReader::append(std::string_view part) {
  open_ = open_ || !part.empty();
  bool ends_returned = part.ends_with('\r');
  while (part.ends_with('\r')) part.remove_suffix(1);
  if (part.empty()) {
    returned_ = returned_ || ends_returned;
    return;
  }
  auto over = part.rfind('\r');
  if (returned_ || over != std::string_view::npos) line_.clear();
  if (over != std::string_view::npos) part.remove_prefix(over + 1);
  if (line_.size() < kMaximumPasteLine) line_ += part.substr(0, kMaximumPasteLine - line_.size());
  returned_ = ends_returned;
}

void LineReader::end_line(std::vector<PasteLine>& out) {
  if (number_ < std::numeric_limits<int>::max()) ++number_;
  std::string cleaned = clean_line(line_);
  if (!is_fence(cleaned)) out.push_back({number_, std::move(cleaned)});
  line_.clear();
  open_ = returned_ = false;
}

void LineReader::finish(std::vector<PasteLine>& out) {
  if (form_ == Form::undecided) decide(out);
  if (open_) end_line(out);
}

}  // namespace kernelfit
