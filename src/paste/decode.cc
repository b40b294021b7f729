// SPDX-License-Identifier: Apache-2.0
#include "paste/decode.h"

#include <algorithm>
#include <cstdint>

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

}  // namespace

std::string_view TextDecoder::feed(std::string_view bytes) {
  text_.clear();
  if (form_ == Form::undecided) {
    const std::size_t more = std::min(bytes.size(), kSample - held_.size());
    held_ += bytes.substr(0, more);
    bytes.remove_prefix(more);
    if (held_.size() < kSample) return {};
    decide();
  }
  if (form_ == Form::utf8 && text_.empty()) return bytes;
  decode(bytes);
  return text_;
}

std::string_view TextDecoder::finish() {
  text_.clear();
  if (form_ == Form::undecided) decide();
  return text_;
}

void TextDecoder::decide() {
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
  decode(rest);
}

void TextDecoder::decode(std::string_view bytes) {
  if (form_ == Form::utf8) {
    text_ += bytes;
    return;
  }
  held_ += bytes;
  held_.erase(0, from_utf16(held_, form_ == Form::utf16_little, text_));
}

}  // namespace kernelfit
