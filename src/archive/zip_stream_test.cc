// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "archive/archive.h"
#include "archive/zip_builder_for_tests.h"

namespace kernelfit {
namespace {

struct Walked {
  std::string members;  // "name=content " in order
  std::vector<std::string> problems;
};

Walked walk(const std::string& bytes, const ZipDirectory* known = nullptr) {
  Walked out;
  const BufferAccess file(as_bytes(bytes));
  AccessStream stream(file);
  out.problems = walk_zip(stream, known, [&](const ZipMember& member, ByteStream& content) {
    const auto all = read_all(content, std::size_t{1} << 20);
    out.members += member.name + "=" + (all ? std::string(as_text(*all)) : "!") + " ";
    return true;
  });
  return out;
}

ZipBuilder two() {
  ZipBuilder zip;
  zip.add("a", "first", 0);
  zip.add("b/c", std::string(20, 'x'), 8);
  return zip;
}

TEST(ZipStream, ReadsMembersByTheHeadersBeforeThem) {
  const Walked walked = walk(two().build());
  EXPECT_EQ(walked.members, "a=first b/c=" + std::string(20, 'x') + " ");
  EXPECT_TRUE(walked.problems.empty());
}

TEST(ZipStream, AMemberMayBeLeftUnread) {
  const std::string bytes = two().build();
  const BufferAccess file(as_bytes(bytes));
  AccessStream stream(file);
  std::string names;
  const auto problems = walk_zip(stream, nullptr, [&](const ZipMember& member, ByteStream&) {
    names += member.name + " ";
    return true;
  });
  EXPECT_EQ(names, "a b/c ");
  EXPECT_TRUE(problems.empty());
}

// Bit 3: the size is behind the content, and zero before it.
TEST(ZipStream, ASizeBehindTheContentIsTheDirectorysToTell) {
  ZipBuilder zip = two();
  std::string local;
  for (ZipEntry entry : zip.entries) {
    entry.flags = 8;
    ZipEntry before = entry;
    before.crc = before.packed_size = before.size = 0;
    local += ZipBuilder::local(before) + entry.packed;
    local += number(0x08074b50, 4) + number(entry.crc, 4) + number(entry.packed_size, 4) +
             number(entry.size, 4);
  }
  std::uint32_t at = 0;
  for (ZipEntry& entry : zip.entries) {
    entry.flags = 8;
    entry.offset = at;
    at += static_cast<std::uint32_t>(ZipBuilder::local(entry).size() + entry.packed.size()) + 16;
  }
  zip.data = local;
  const std::string bytes = zip.build();
  EXPECT_NE(walk(bytes).problems.at(0).find("has its size behind it"), std::string::npos);
  const auto directory = read_zip_directory(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(directory);
  const Walked walked = walk(bytes, &*directory);
  EXPECT_EQ(walked.members, "a=first b/c=" + std::string(20, 'x') + " ");
  EXPECT_TRUE(walked.problems.empty());
}

TEST(ZipStream, RefusesNamesAndSizesAsTheDirectoryDoes) {
  ZipBuilder zip;
  zip.add("../up", "x");
  zip.add("a\\b", "x");
  zip.add("good", "y");
  const Walked walked = walk(zip.build());
  EXPECT_EQ(walked.members, "good=y ");
  EXPECT_EQ(walked.problems.size(), 2u);
  ZipBuilder lying;
  lying.add("a", "x");
  lying.data.replace(22, 4, number(0xfffffff0, 4));  // the size before a stored member
  EXPECT_NE(walk(lying.build()).problems.at(0).find("though it is stored"), std::string::npos);
}

TEST(ZipStream, EveryCutIsAProblem) {
  const ZipBuilder zip = two();
  const std::string bytes = zip.build();
  for (std::size_t size = 0; size < zip.data.size(); ++size) {
    EXPECT_FALSE(walk(bytes.substr(0, size)).problems.empty()) << size;
  }
}

}  // namespace
}  // namespace kernelfit
