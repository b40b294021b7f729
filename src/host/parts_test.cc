// SPDX-License-Identifier: Apache-2.0
#include "host/parts.h"

#include <gtest/gtest.h>

#include <random>

namespace kernelfit {
namespace {

std::string read_text(const PartsFile& file, std::uint64_t offset, std::size_t size) {
  std::string out(size, '?');
  auto status = file.read(offset, std::as_writable_bytes(std::span(out)));
  return status ? out : "error: " + status.error().text();
}

TEST(Parts, MergesWhatTouches) {
  PartsFile file{100, {}, false};
  file.add(10, "abc");
  file.add(20, "xyz");
  EXPECT_EQ(file.parts.size(), 2u);
  file.add(13, "defghij");  // fills the gap exactly
  ASSERT_EQ(file.parts.size(), 1u);
  EXPECT_EQ(file.parts[0].offset, 10u);
  EXPECT_EQ(file.parts[0].bytes, "abcdefghijxyz");
}

TEST(Parts, ReadsWhatWasKeptAndSaysWhatWasNot) {
  PartsFile file{100, {}, false};
  file.add(10, "abcdef");
  EXPECT_EQ(read_text(file, 12, 3), "cde");
  EXPECT_TRUE(read_text(file, 12, 10).starts_with("error: "));
  EXPECT_TRUE(read_text(file, 98, 3).starts_with("error: "));  // past the end
  file.zero_fill = true;
  EXPECT_EQ(read_text(file, 14, 4), std::string("ef\0\0", 4));
}

// Whatever is added in whatever order, the parts are those of the bytes that were seen.
TEST(Parts, EqualsAFlatFileOverRandomReads) {
  std::mt19937 random(1);
  std::string whole;
  for (int i = 0; i < 200; ++i) whole += static_cast<char>('a' + i % 26);
  for (int round = 0; round < 200; ++round) {
    PartsFile file{whole.size(), {}, false};
    std::vector<bool> seen(whole.size());
    for (int i = 0; i < 12; ++i) {
      std::size_t offset = random() % whole.size(), size = random() % 30;
      size = std::min(size, whole.size() - offset);
      file.add(offset, std::string_view(whole).substr(offset, size));
      for (std::size_t at = offset; at < offset + size; ++at) seen[at] = true;
    }
    auto parsed = parse_parts(render_parts(file));
    ASSERT_TRUE(parsed) << parsed.error().text();
    for (std::size_t at = 0; at < whole.size(); ++at) {
      auto expected = seen[at] ? std::string(1, whole[at]) : std::string("error: ");
      ASSERT_TRUE(read_text(*parsed, at, 1).starts_with(expected)) << at;
    }
  }
}

TEST(Parts, RefusesWhatIsNotOne) {
  PartsFile file{100, {}, false};
  file.add(10, "abcdef");
  std::string good = render_parts(file);
  ASSERT_TRUE(parse_parts(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(parse_parts(good.substr(0, size))) << size;
  }
  std::string many = good;
  many[16] = many[23] = '\x7f';  // a count of parts that the file has no room for
  EXPECT_FALSE(parse_parts(many));
  std::string outside = good;
  outside[24] = 99;  // a part that ends behind the file
  EXPECT_FALSE(parse_parts(outside));
}

}  // namespace
}  // namespace kernelfit
