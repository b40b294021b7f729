// SPDX-License-Identifier: Apache-2.0
#include "paste/lines.h"

#include <gtest/gtest.h>

#include "paste/decode.h"

namespace kernelfit {
namespace {

using namespace std::string_literals;

// In pieces of `size` bytes: where a text is cut must not matter.
std::vector<PasteLine> read(std::string_view text, std::size_t size) {
  LineReader reader;
  std::vector<PasteLine> out;
  TextDecoder decoder;
  for (std::size_t at = 0; at < text.size(); at += size) {
    reader.feed(decoder.feed(text.substr(at, size)), out);
  }
  reader.feed(decoder.finish(), out);
  reader.finish(out);
  return out;
}

std::string joined(std::string_view text, std::size_t size) {
  std::string out;
  for (const auto& line : read(text, size)) out += std::to_string(line.number) + line.text + "|";
  return out;
}

std::string utf16(std::string_view ascii, bool little) {
  std::string out;
  for (char c : ascii) out += little ? std::string{c, '\0'} : std::string{'\0', c};
  return out;
}

TEST(LineReader, BothOrdersOfUtf16WithAndWithoutAMark) {
  const std::string text = "CUDA error\nout of memory";
  for (std::size_t size : {1, 2, 3, 7, 1000}) {
    EXPECT_EQ(joined(text, size), "1CUDA error|2out of memory|");
    EXPECT_EQ(joined("\xEF\xBB\xBF" + text, size), "1CUDA error|2out of memory|");
    for (bool little : {true, false}) {
      const std::string mark = little ? "\xFF\xFE" : "\xFE\xFF";
      EXPECT_EQ(joined(utf16(text, little), size), "1CUDA error|2out of memory|") << size;
      EXPECT_EQ(joined(mark + utf16(text, little), size), "1CUDA error|2out of memory|") << size;
    }
  }
}

// U+1F600 in UTF-16 is D83D DE00.
TEST(LineReader, APairOfUtf16IsOneCharacterWhereverItIsCut) {
  const std::string text = "\xFF\xFE"s + utf16(std::string(100, 'a'), true) + "\x3D\xD8\x00\xDE"s;
  for (std::size_t size : {1, 2, 3, 101, 203, 204, 205}) {
    EXPECT_EQ(joined(text, size), "1" + std::string(100, 'a') + "\xF0\x9F\x98\x80|") << size;
  }
}

TEST(LineReader, NumbersStayWhereFencesAreLeftOut) {
  for (std::size_t size : {1, 4, 1000}) {
    EXPECT_EQ(joined("```\r\nfirst\r\n```\r\nsecond\n", size), "2first|4second|");
  }
}

TEST(LineReader, WhatAProgressBarWroteOverIsGone) {
  for (std::size_t size : {1, 5, 1000}) {
    EXPECT_EQ(joined(" 10%|#  |\r100%|###|\rCUDA error: out of memory\r\nnext", size),
              "1CUDA error: out of memory|2next|");
  }
}

TEST(LineReader, ALineOfAnyLengthIsCut) {
  auto lines = read(std::string(std::size_t{1} << 22, 'x') + "\nend", 4096);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text.size(), kMaximumPasteLine);
  EXPECT_EQ(lines[1].text, "end");
}

}  // namespace
}  // namespace kernelfit
