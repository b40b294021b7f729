// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "archive/archive.h"
#include "archive/zip_builder_for_tests.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

ZipDirectory list(const std::string& bytes) {
  auto directory = read_zip_directory(BufferAccess(as_bytes(bytes)));
  EXPECT_TRUE(directory) << directory.error().text();
  return directory ? *std::move(directory) : ZipDirectory{};
}

std::vector<std::string> names(const ZipDirectory& directory) {
  std::vector<std::string> out;
  for (const auto& member : directory.members) out.push_back(member.name);
  return out;
}

Result<std::string> content(const std::string& bytes, const ZipMember& member) {
  BufferAccess file(as_bytes(bytes));
  KF_TRY(auto stream, open_member(file, member));
  KF_TRY(auto all, read_all(*stream, std::size_t{1} << 26));
  return std::string(as_text(all));
}

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return out;
}

using Names = std::vector<std::string>;

// `unzip -v` and `unzip -p … | crc32` of the same files.
TEST(Zip, ReadsWheels) {
  for (const char* wheel : {"vadd-0.1-deflated.whl", "vadd-0.1-stored.whl"}) {
    SCOPED_TRACE(wheel);
    const std::string bytes = load(wheel);
    const ZipDirectory directory = list(bytes);
    EXPECT_TRUE(directory.problems.empty());
    ASSERT_EQ(names(directory), (Names{"vadd/libvadd13.so", "vadd/libtwo.so", "vadd/__init__.py",
                                       "vadd-0.1.dist-info/METADATA"}));
    EXPECT_EQ(directory.members[0].size_bytes, load("libcu130_vadd.so").size());
    EXPECT_EQ(content(bytes, directory.members[0]).value(), load("libcu130_vadd.so"));
    EXPECT_EQ(content(bytes, directory.members[1]).value(), load("libcu124_two_tu.so"));
  }
}

TEST(Zip, OpensAStoredMemberInPlace) {
  const std::string bytes = load("vadd-0.1-stored.whl");
  BufferAccess file(as_bytes(bytes));
  const ZipDirectory directory = list(bytes);
  auto member = open_stored(file, directory.members[0]);
  ASSERT_TRUE(member) << member.error().text();
  std::string magic(4, '\0');
  ASSERT_TRUE((*member)->read(0, std::as_writable_bytes(std::span(magic))));
  EXPECT_EQ(magic,
            "\x7f"
            "ELF");
  EXPECT_EQ((*member)->size(), load("libcu130_vadd.so").size());
  EXPECT_FALSE(open_stored(BufferAccess(as_bytes(load("vadd-0.1-deflated.whl"))),
                           list(load("vadd-0.1-deflated.whl")).members[0]));
}

TEST(Zip, CostsOneReadOrTwo) {
  class Counting : public BufferAccess {
   public:
    using BufferAccess::BufferAccess;
    Status read(std::uint64_t offset, std::span<std::byte> into) const override {
      ++reads;
      return BufferAccess::read(offset, into);
    }
    mutable int reads = 0;
  };
  const std::string bytes = load("vadd-0.1-deflated.whl");
  Counting file{as_bytes(bytes)};
  ASSERT_TRUE(read_zip_directory(file));
  EXPECT_EQ(file.reads, 1);  // the end, in which the directory is

  ZipBuilder zip;
  for (int i = 0; i < 2000; ++i) zip.add("member " + std::to_string(i), "content");
  const std::string large = zip.build64();
  Counting two{as_bytes(large)};
  EXPECT_EQ(read_zip_directory(two)->members.size(), 2000u);
  EXPECT_EQ(two.reads, 2);
  ASSERT_TRUE(member_data_offset(two, list(large).members[7]));
  EXPECT_EQ(two.reads, 3);
}

TEST(Zip, ReadsAnEmptyOneAComment64BitRecordsAndBytesBefore) {
  EXPECT_TRUE(list(ZipBuilder().build()).members.empty());
  ZipBuilder zip;
  zip.add("a", "alpha");
  zip.add("folder/", "");
  zip.add("b", std::string(100'000, 'b'), 8);
  for (const std::string& bytes :
       {zip.build(), zip.build("PK\5\6 is no end record"), zip.build(std::string(65'535, 'c')),
        zip.build64(), "#!/bin/sh\n" + zip.build(), std::string(5000, 'x') + zip.build64()}) {
    const ZipDirectory directory = list(bytes);
    EXPECT_EQ(directory.problems, Names{});
    ASSERT_EQ(names(directory), (Names{"a", "b"}));
    EXPECT_EQ(content(bytes, directory.members[0]).value(), "alpha");
    EXPECT_EQ(content(bytes, directory.members[1]).value(), std::string(100'000, 'b'));
  }
}

TEST(Zip, NothingIsNothingInEveryMethod) {
  ZipBuilder zip;
  zip.add_packed("empty", "", "", 8);
  zip.add("also empty", "", 8);
  const std::string bytes = zip.build();
  EXPECT_EQ(content(bytes, list(bytes).members.at(0)).value(), "");
  EXPECT_EQ(content(bytes, list(bytes).members.at(1)).value(), "");
}

TEST(Zip, Reads64BitNumbers) {
  ZipBuilder zip;
  zip.add("first", std::string(1000, 'f'));
  ZipEntry& e = zip.add("second", std::string(2000, 's'), 8);
  e.extra = number(0x5455, 2) + number(1, 2) + "t" + number(1, 2) + number(24, 2) +
            number(2000, 8) + number(e.packed.size(), 8) + number(e.offset, 8);
  e.size = e.packed_size = e.offset = 0xffffffff;
  const std::string bytes = zip.build();
  const ZipDirectory directory = list(bytes);
  ASSERT_EQ(names(directory), (Names{"first", "second"}));
  EXPECT_EQ(content(bytes, directory.members[1]).value(), std::string(2000, 's'));

  e.extra = number(1, 2) + number(8, 2) + number(2000, 8);
  EXPECT_EQ(names(list(zip.build())), Names{"first"});
  EXPECT_NE(list(zip.build()).problems.at(0).find("cut zip64 field"), std::string::npos);
}

TEST(Zip, LeavesOutNamesThatLeadElsewhere) {
  ZipBuilder zip;
  for (const char* bad : {"../x", "a/../../x", "/etc/passwd", "C:/x", "a\\b", "..\\x", ".."}) {
    zip.add(bad, "x");
  }
  zip.add(std::string("a\0b", 3), "x");
  zip.add("", "x");
  zip.add("good..name/a..b", "fine");
  const ZipDirectory directory = list(zip.build());
  EXPECT_EQ(names(directory), Names{"good..name/a..b"});
  EXPECT_EQ(directory.problems.size(), 9u);
}

TEST(Zip, NamesWithoutUtf8AreCodePage437) {
  ZipBuilder zip;
  zip.add("caf\x82", "x");                       // é in code page 437
  zip.add("caf\xc3\xa9", "x");                   // UTF-8 without saying so
  zip.add("\xe7\x89\x87", "x").flags = 1 << 11;  // and saying so
  const std::string bytes = zip.build();
  const ZipDirectory directory = list(bytes);
  ASSERT_EQ(names(directory), (Names{"caf\xc3\xa9", "caf\xc3\xa9", "\xe7\x89\x87"}));
  EXPECT_EQ(content(bytes, directory.members[0]).value(), "x");
}

TEST(Zip, RefusesOverlappingMembers) {
  ZipBuilder zip;
  zip.add("kernel", std::string(1000, 'k'));
  ZipEntry twice = zip.entries[0];
  zip.entries.push_back(twice);
  zip.entries.back().name = "twice";
  zip.add("last", "last");
  const ZipDirectory directory = list(zip.build());
  EXPECT_EQ(directory.members.size(), 2u);
  ASSERT_EQ(directory.problems.size(), 1u);
  EXPECT_NE(directory.problems[0].find("overlaps"), std::string::npos);

  ZipBuilder long_one;  // the first member claims the second one's header as its own bytes
  long_one.add("a", std::string(100, 'a'));
  long_one.add("b", std::string(100, 'b'));
  long_one.entries[0].packed_size = long_one.entries[0].size = 200;
  EXPECT_EQ(names(list(long_one.build())), Names{"b"});
}

TEST(Zip, RefusesSizesThatCannotBe) {
  ZipBuilder zip;
  zip.add("huge", std::string(1000, 'h'), 8).size = 0xfffffffe;
  zip.add("stored", "12345").size = 6;
  zip.add("past", "12345").packed_size = 0xfffffff0;
  zip.entries.back().size = 0xfffffff0;
  const ZipDirectory directory = list(zip.build());
  EXPECT_EQ(names(directory), Names{});
  ASSERT_EQ(directory.problems.size(), 3u);
  EXPECT_NE(directory.problems[0].find("more than deflate can give"), std::string::npos);
  EXPECT_NE(directory.problems[1].find("claims 6 bytes from 5, though it is stored"),
            std::string::npos);
  EXPECT_NE(directory.problems[2].find("central directory"), std::string::npos);
}

TEST(Zip, RefusesABomb) {
  ZipBuilder zip;
  zip.add("zeros", std::string(5'000'000, '\0'), 8).size = 3'000'000'000;
  zip.add("by another method", "packed", 0).method = 93;
  zip.entries.back().size = 3'000'000'000;
  zip.add("large", "unpacked");
  const ZipDirectory directory = list(zip.build());
  EXPECT_EQ(names(directory), Names{"large"});
  ASSERT_EQ(directory.problems.size(), 2u);
  EXPECT_NE(directory.problems[1].find("claims 3000000000 bytes from 6 (a bomb)"),
            std::string::npos);

  ArchiveLimits limits;
  limits.bomb_bytes = 1'000'000;
  ZipBuilder small;
  small.add("zeros", std::string(5'000'000, '\0'), 8);
  const std::string bytes = small.build();
  EXPECT_TRUE(read_zip_directory(BufferAccess(as_bytes(bytes)), limits)->members.empty());
  EXPECT_EQ(list(bytes).members.size(), 1u);
}

TEST(Zip, SaysWhereAMemberIsNotWhatTheDirectorySays) {
  ZipBuilder zip;
  zip.add("short", std::string(1000, 's'), 8).size = 1001;
  zip.add("long", std::string(1000, 'l'), 8).size = 999;
  zip.add("other", "checksum").crc ^= 1;
  zip.add("named", "x").name = "Named";
  zip.add("a longer name", "x").name = "short name";
  zip.add_packed("corrupt", std::string(1000, 'c'), "\x07 no deflate", 8);
  const std::string bytes = zip.build();
  const ZipDirectory directory = list(bytes);
  ASSERT_EQ(directory.members.size(), 6u);
  const char* expected[] = {"unpacks to 1000 bytes, and claims 1001",
                            "more than the 999 bytes it claims",
                            "does not match its checksum",
                            "is named 'named' where it begins",
                            "is named 'a longer n",
                            "deflate"};
  for (std::size_t i = 0; i < 6; ++i) {
    auto got = content(bytes, directory.members[i]);
    ASSERT_FALSE(got) << i;
    EXPECT_NE(got.error().text().find(expected[i]), std::string::npos) << got.error().text();
  }
}

TEST(Zip, NamesWhatItDoesNotRead) {
  ZipBuilder zip;
  zip.add_packed("secret", "x", "y", 0).flags = 1;
  zip.add_packed("old", "x", "yyyyyyyyyyyyyyyy", 9);
  const std::string bytes = zip.build();
  const ZipDirectory directory = list(bytes);
  ASSERT_EQ(directory.members.size(), 2u);
  EXPECT_TRUE(directory.members[0].encrypted);
  auto secret = content(bytes, directory.members[0]);
  ASSERT_FALSE(secret);
  EXPECT_EQ(secret.error().kind, ErrorKind::unsupported);
  EXPECT_NE(secret.error().message.find("encrypted"), std::string::npos);
  auto old = content(bytes, directory.members[1]);
  ASSERT_FALSE(old);
  EXPECT_NE(old.error().message.find("packed by deflate64"), std::string::npos);
}

// Python: zipfile.ZipFile(…, "w", zipfile.ZIP_LZMA).writestr("a", "kernelfit " * 10). What zipfile
// writes at large is read in tests/archive_oracle_test.py.
TEST(Zip, ReadsLzma) {
  const std::string plain = [] {
    std::string text;
    for (int i = 0; i < 10; ++i) text += "kernelfit ";
    return text;
  }();
  const std::string packed =
      from_hex("090405005d000080000035994aaba2e2b0d7765b12d3dbf7f42ffffff4bd0000");
  ZipBuilder zip;
  zip.add_packed("a", plain, packed, 14);
  zip.add_packed("cut", plain, packed.substr(0, packed.size() / 2), 14);
  zip.add_packed("properties", plain, packed.substr(0, 2) + "\x06" + packed.substr(3), 14);
  zip.add_packed("dictionary", plain, packed.substr(0, 5) + "\xff\xff\xff\xff" + packed.substr(9),
                 14);
  zip.add_packed("short", plain, packed.substr(0, 4), 14);
  const std::string bytes = zip.build();
  const ZipDirectory directory = list(bytes);
  EXPECT_EQ(content(bytes, directory.members.at(0)), plain);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_FALSE(content(bytes, directory.members.at(i))) << directory.members[i].name;
  }
}

TEST(Zip, ReadsTheEndsOfALargeDirectory) {
  ZipBuilder zip;
  zip.add("first", "1");
  zip.add("PK\1\2 is a signature in a name", "x");
  for (int i = 0; i < 400; ++i) zip.add("between/" + std::to_string(i), "b");
  zip.add("folder/", "");
  zip.add("PK\1\2 and again, near the end", "x");
  zip.add("last", "2");
  const std::string bytes = zip.build();
  const auto ends = read_zip_ends(BufferAccess(as_bytes(bytes)), 1024);
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->entries, 405u);
  ASSERT_GT(ends->members.size(), 10u);
  EXPECT_LT(ends->members.size(), 60u);
  EXPECT_EQ(ends->members.front().name, "first");
  EXPECT_EQ(ends->members.back().name, "last");
  EXPECT_EQ(content(bytes, ends->members.back()), "2");
  // Hardly more than that; no zip; a first member of more bytes than there are.
  EXPECT_FALSE(read_zip_ends(BufferAccess(as_bytes(bytes)), bytes.size() / 3));
  EXPECT_FALSE(read_zip_ends(BufferAccess(as_bytes(bytes.substr(0, 100))), 10));
  std::string odd = bytes;
  odd[zip.data.size() + 23] = '\x7f';
  EXPECT_FALSE(read_zip_ends(BufferAccess(as_bytes(odd)), 1024));
}

TEST(Zip, TheCountOfTheEndRecordMayLie) {
  ZipBuilder zip;
  zip.add("a", "a");
  zip.add("b", "b");
  const std::string list_bytes = zip.directory();
  const std::string bytes =
      zip.data + list_bytes + ZipBuilder::end(60'000, list_bytes.size(), zip.data.size());
  const ZipDirectory directory = list(bytes);
  EXPECT_EQ(names(directory), (Names{"a", "b"}));
  EXPECT_NE(directory.problems.at(0).find("claims 60000 members, the directory has 2"),
            std::string::npos);
  EXPECT_FALSE(read_zip_directory(
      BufferAccess(as_bytes(zip.data + list_bytes + ZipBuilder::end(2, 0xfffffff0, 0)))));
}

TEST(Zip, EveryCutIsAnErrorOrAProblem) {
  ZipBuilder zip;
  zip.add("a", std::string(300, 'a'), 8);
  zip.add("b", "bytes");
  const std::string whole = zip.build();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string bytes = whole.substr(0, size);
    EXPECT_FALSE(read_zip_directory(BufferAccess(as_bytes(bytes)))) << size;
  }
  const ZipDirectory behind = list(whole + "tail");
  EXPECT_EQ(behind.members.size(), 2u);
  EXPECT_NE(behind.problems.at(0).find("4 bytes behind the end"), std::string::npos);
}

}  // namespace
}  // namespace kernelfit
