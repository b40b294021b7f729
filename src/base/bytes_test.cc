// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Bytes, IntegersAsTheyLieInAFile) {
  std::string raw("\x01\x02\x03\x04\xff\xfe\xfd\xfc", 8);
  Bytes bytes = as_bytes(raw);
  EXPECT_EQ(*read_at<le16>(bytes, 0), 0x0201);
  EXPECT_EQ(*read_at<be16>(bytes, 0), 0x0102);
  EXPECT_EQ(*read_at<le32>(bytes, 1), 0xff040302u);  // no alignment needed
  EXPECT_EQ(*read_at<be32>(bytes, 0), 0x01020304u);
  EXPECT_EQ(*read_at<le64>(bytes, 0), 0xfcfdfeff04030201u);
}

TEST(Bytes, NothingIsReadPastTheEnd) {
  std::string raw(10, 'x');
  Bytes bytes = as_bytes(raw);
  struct {
    std::uint64_t offset, size;
    bool inside;
  } cases[] = {{0, 10, true},          {10, 0, true}, {0, 11, false},
               {11, 0, false},         {5, 6, false}, {UINT64_MAX, 1, false},
               {1, UINT64_MAX, false}, {9, 1, true},  {UINT64_MAX, UINT64_MAX, false}};
  BufferAccess file(bytes);
  for (const auto& c : cases) {
    auto part = slice(bytes, c.offset, c.size);
    EXPECT_EQ(part.has_value(), c.inside) << c.offset << " " << c.size;
    if (!part) {
      EXPECT_EQ(part.error().kind, ErrorKind::truncated);
    }
    if (c.size > 100) continue;
    std::vector<std::byte> into(c.size);
    EXPECT_EQ(file.read(c.offset, into).has_value(), c.inside);
  }
  EXPECT_FALSE(read_at<le64>(bytes, 3));
  EXPECT_TRUE(read_at<le64>(bytes, 2));
  EXPECT_TRUE(read_at<le64>(file, 2));
  EXPECT_FALSE(read_at<le64>(file, 3));
}

TEST(Result, AnErrorSaysWhereItWas) {
  Error problem{ErrorKind::malformed, "is past the end", {}};
  auto text = std::move(problem).in("e_shoff").in("libcudart.so.12").text();
  EXPECT_EQ(text, "libcudart.so.12: e_shoff: is past the end");
}

TEST(Result, TryGoesOnOrReturns) {
  auto halve = [](int value) -> Result<int> {
    if (value % 2 != 0) return error(ErrorKind::malformed, "odd");
    return value / 2;
  };
  auto quarter = [&](int value) -> Result<int> {
    KF_TRY(int half, halve(value));
    return halve(half);
  };
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_EQ(quarter(5).error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace kernelfit
