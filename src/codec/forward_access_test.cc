// SPDX-License-Identifier: Apache-2.0
#include "codec/forward_access.h"

#include <gtest/gtest.h>

#include <string>

namespace kernelfit {
namespace {

struct Opened {
  explicit Opened(int restarts, std::uint64_t claimed = 10)
      : access([this] { return open(); }, claimed, restarts) {}
  std::unique_ptr<ByteStream> open() {
    ++times;
    return std::make_unique<AccessStream>(file);
  }
  std::string read(std::uint64_t offset, std::size_t count) {
    std::string out(count, ' ');
    const Status status = access.read(offset, std::as_writable_bytes(std::span(out)));
    return status ? out : status.error().text();
  }
  std::string text = "0123456789";
  BufferAccess file{std::as_bytes(std::span(text))};
  int times = 0;
  ForwardAccess access;
};

TEST(ForwardAccess, GoesForwardInOneRun) {
  Opened file(0);
  EXPECT_EQ(file.read(1, 2), "12");
  EXPECT_EQ(file.read(3, 0), "");
  EXPECT_EQ(file.read(7, 3), "789");
  EXPECT_EQ(file.times, 1);
}

TEST(ForwardAccess, GoesBackAsOftenAsItMay) {
  Opened file(2);
  EXPECT_EQ(file.read(5, 2), "56");
  EXPECT_EQ(file.read(0, 2), "01");
  EXPECT_EQ(file.read(1, 2), "12");
  EXPECT_EQ(file.times, 3);
  EXPECT_EQ(file.read(0, 1), "its parts would be unpacked too often");
}

TEST(ForwardAccess, AnEndBeforeItsTimeIsAnError) {
  Opened file(1, 20);
  EXPECT_EQ(file.read(8, 4), "ends at 10");
  EXPECT_EQ(file.read(15, 1), "ends at 10");
}

}  // namespace
}  // namespace kernelfit
