// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "archive/archive.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string padded(std::string text) {
  text.resize((text.size() + 511) / 512 * 512, '\0');
  return text;
}

struct Header {
  std::string name = {}, link = {}, prefix = {},
              magic = std::string(
                  "ustar\0"
                  "00",
                  8),
              size_field = {};
  char type = '0';
  std::uint64_t size = 0;
  bool with_sign = false;  // the checksum as old tars added it
};

std::string block(const Header& h) {
  std::string b(512, '\0');
  b.replace(0, h.name.size(), h.name);
  char octal[13];
  std::snprintf(octal, sizeof octal, "%011llo", static_cast<unsigned long long>(h.size));
  b.replace(124, 12, h.size_field.empty() ? std::string(octal, 12) : h.size_field);
  b.replace(148, 8, "        ");
  b[156] = h.type;
  b.replace(157, h.link.size(), h.link);
  b.replace(257, h.magic.size(), h.magic);
  b.replace(345, h.prefix.size(), h.prefix);
  int sum = 0;
  for (const char c : b)
    sum += h.with_sign ? int{static_cast<signed char>(c)} : static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", static_cast<unsigned>(sum));
  b.replace(148, 8, std::string(octal, 7) + ' ');
  return b;
}

std::string member(const std::string& name, const std::string& content, char type = '0') {
  Header h{name};
  h.type = type;
  h.size = content.size();
  return block(h) + padded(content);
}

std::string pax(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t size = rest.size() + 1;
  while (std::to_string(size).size() + rest.size() != size) ++size;
  return std::to_string(size) + rest;
}

const std::string kEnd(1024, '\0');

struct Seen {
  std::vector<ArchiveMember> members;
  std::vector<std::string> contents, problems;
};

Seen walk(const std::string& tar, bool read = true, const ArchiveLimits& limits = {}) {
  BufferAccess file(as_bytes(tar));
  AccessStream stream(file);
  Seen seen;
  seen.problems = walk_tar(
      stream,
      [&](const ArchiveMember& m, ByteStream& content) {
        seen.members.push_back(m);
        auto all = read ? read_all(content, 1 << 24) : Result<std::vector<std::byte>>{};
        seen.contents.push_back(all ? std::string(as_text(*all)) : "error: " + all.error().text());
        return true;
      },
      limits);
  return seen;
}

// `tar tvf` of the same file.
TEST(Tar, ReadsWhatPythonWrote) {
  const Seen seen = walk(load("vadd-0.1.tar"));
  EXPECT_TRUE(seen.problems.empty());
  ASSERT_EQ(seen.members.size(), 2u);
  EXPECT_EQ(seen.members[0].name, "package/bins/libvadd13.so");
  EXPECT_EQ(seen.contents[0], load("libcu130_vadd.so"));
  EXPECT_EQ(seen.members[1].name, "package/bins/libtwo.so");
  EXPECT_EQ(seen.contents[1], load("libcu124_two_tu.so"));
}

TEST(Tar, WhatIsNotReadIsPassedOver) {
  const Seen seen = walk(load("vadd-0.1.tar"), false);
  EXPECT_EQ(seen.members.size(), 2u);
  EXPECT_TRUE(seen.problems.empty());
}

TEST(Tar, TheVisitorEndsTheWalk) {
  const std::string tar = member("a", "a") + member("b", "b") + kEnd;
  BufferAccess file(as_bytes(tar));
  AccessStream stream(file);
  int count = 0;
  EXPECT_TRUE(
      walk_tar(stream, [&](const ArchiveMember&, ByteStream&) { return ++count < 1; }).empty());
  EXPECT_EQ(count, 1);
}

TEST(Tar, LongNamesOfEachKind) {
  const std::string name(300, 'n'), link(250, 'l');
  Header prefixed{"name"};
  prefixed.prefix = "a/prefix";
  Header linked{"cut"};
  linked.type = '2';
  linked.link = "cut";
  Header gnu{"short"};
  gnu.magic = std::string("ustar  \0", 8);
  gnu.prefix = "12345670123";  // GNU: times, not a prefix
  const Seen seen = walk(
      member("././@LongLink", name + std::string(1, '\0'), 'L') +
      member(name.substr(0, 100), "gnu") + block(prefixed) +
      member("PaxHeaders/x", pax("mtime", "1.5") + pax("path", "p/" + name), 'x') +
      member("p", "pax") + member("././@LongLink", link, 'K') + block(linked) + block(gnu) + kEnd);
  EXPECT_TRUE(seen.problems.empty());
  ASSERT_EQ(seen.members.size(), 5u);
  EXPECT_EQ(seen.members[0].name, name);
  EXPECT_EQ(seen.contents[0], "gnu");
  EXPECT_EQ(seen.members[1].name, "a/prefix/name");
  EXPECT_EQ(seen.members[2].name, "p/" + name);
  EXPECT_EQ(seen.contents[2], "pax");
  EXPECT_EQ(seen.members[3].type, 'l');
  EXPECT_EQ(seen.members[3].link_target, link);
  EXPECT_EQ(seen.members[4].name, "short");
}

TEST(Tar, SizesInPaxAndInBase256) {
  Header wide{"wide"};
  wide.size_field = std::string("\x80\0\0\0\0\0\0\0\0\0\0\x05", 12);
  Header claimed{"claimed"};
  claimed.size = 0;
  const Seen seen = walk(block(wide) + padded("12345") + member("x", pax("size", "3"), 'x') +
                         block(claimed) + padded("abc") + member("last", "z") + kEnd);
  EXPECT_TRUE(seen.problems.empty());
  EXPECT_EQ(seen.contents, (std::vector<std::string>{"12345", "abc", "z"}));
  EXPECT_EQ(seen.members[1].size_bytes, 3u);
}

TEST(Tar, TypesAndWhatHasNoContent) {
  Header hard{"hard"};
  hard.type = '1';
  hard.link = "a";
  hard.size = 7;  // GNU tar writes the size of the target
  const Seen seen = walk(member("d/", "", '5') + block(hard) + member("fifo", "", '6') +
                         member("old/", "", '\0') + member("old", "x", '\0') + kEnd);
  EXPECT_TRUE(seen.problems.empty());
  std::string types;
  for (const auto& m : seen.members) types += m.type;
  EXPECT_EQ(types, "dhodf");
  EXPECT_EQ(seen.members[1].link_target, "a");
  EXPECT_EQ(seen.contents.back(), "x");
}

TEST(Tar, OldArchivesWithoutMagicAndWithSignedSums) {
  Header old{"\xe9t\xe9"};
  old.magic.clear();
  old.with_sign = true;
  EXPECT_EQ(sniff_archive(as_bytes(block(old))), ArchiveKind::tar);
  const Seen seen = walk(block(old) + kEnd);
  EXPECT_EQ(seen.members.size(), 1u);
  EXPECT_TRUE(seen.problems.empty());
}

// As GNU tar's manual ("Storing Sparse Files") lays them out: "AB" at 3, "CD" at 8, 12 bytes.
const std::string kWithHoles("\0\0\0AB\0\0\0CD\0\0", 12);

std::string octal12(std::uint64_t value) {
  char text[13];
  std::snprintf(text, sizeof text, "%011llo", static_cast<unsigned long long>(value));
  return {text, 12};
}

std::string old_sparse(std::uint64_t real_size) {
  std::string b(512, '\0');
  b.replace(0, 5, "holes");
  b.replace(124, 12, octal12(4));
  b[156] = 'S';
  b.replace(257, 8, std::string("ustar  \0", 8));
  b.replace(386, 48, octal12(3) + octal12(2) + octal12(8) + octal12(2));
  b.replace(483, 12, octal12(real_size));
  return b;
}

std::string with_sum(std::string b) {
  b.replace(148, 8, "        ");
  int sum = 0;
  for (const char c : b) sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", static_cast<unsigned>(sum));
  return b.replace(148, 8, std::string(text, 7) + ' ');
}

void expect_holes(const Seen& seen, const std::string& name) {
  EXPECT_TRUE(seen.problems.empty()) << seen.problems[0];
  ASSERT_EQ(seen.members.size(), 1u);
  EXPECT_EQ(seen.members[0].name, name);
  EXPECT_EQ(seen.members[0].size_bytes, 12u);
  EXPECT_EQ(seen.contents[0], kWithHoles);
}

TEST(Tar, OldSparseFilesHaveTheirHoles) {
  expect_holes(walk(with_sum(old_sparse(12)) + padded("ABCD") + kEnd), "holes");
  std::string more = old_sparse(12);
  more.replace(410, 24, std::string(24, '\0'));  // the second piece stands in a block of its own
  more[482] = 1;
  expect_holes(walk(with_sum(more) + padded(octal12(8) + octal12(2)) + padded("ABCD") + kEnd),
               "holes");
}

TEST(Tar, PaxSparseFilesHaveTheirHoles) {
  const std::string first = pax("GNU.sparse.size", "12") + pax("GNU.sparse.numblocks", "2");
  const std::string v00 = first + pax("GNU.sparse.offset", "3") + pax("GNU.sparse.numbytes", "2") +
                          pax("GNU.sparse.offset", "8") + pax("GNU.sparse.numbytes", "2");
  expect_holes(walk(member("x", v00, 'x') + member("real", "ABCD") + kEnd), "real");
  const std::string v01 = first + pax("GNU.sparse.name", "real") + pax("GNU.sparse.map", "3,2,8,2");
  expect_holes(walk(member("x", v01, 'x') + member("GNUSparseFile.7/real", "ABCD") + kEnd), "real");
  const std::string v10 = pax("GNU.sparse.major", "1") + pax("GNU.sparse.minor", "0") +
                          pax("GNU.sparse.name", "real") + pax("GNU.sparse.realsize", "12");
  expect_holes(walk(member("x", v10, 'x') +
                    member("GNUSparseFile.7/real", padded("2\n3\n2\n8\n2\n") + "ABCD") + kEnd),
               "real");
}

TEST(Tar, SparseMapsThatCannotBeRightAreNotFollowed) {
  const auto problem = [](const std::string& records, const std::string& content) {
    const Seen seen = walk(member("x", records, 'x') + member("holes", content) + kEnd);
    EXPECT_EQ(seen.members.size(), 1u);
    return seen.problems.empty() ? "" : seen.problems[0];
  };
  const std::string size = pax("GNU.sparse.size", "12");
  for (const char* map : {"3,2,2,2", "3,2,11,2", "3,2", "3", "", "18446744073709551615,2,8,2"}) {
    EXPECT_NE(problem(size + pax("GNU.sparse.map", map), "ABCD"), "") << map;
  }
  const std::string in_content = pax("GNU.sparse.major", "1") + pax("GNU.sparse.realsize", "12");
  for (const char* map : {"2\n3\n2\n", "9999999999\n", "x\n", ""}) {
    EXPECT_NE(problem(in_content, padded(map) + "ABCD"), "") << map;
  }
}

TEST(Tar, HolesOfAllMembersTogetherAreLimited) {
  ArchiveLimits limits;
  limits.bomb_bytes = std::uint64_t{1} << 20;
  std::string tar;
  for (int i = 0; i < 4; ++i) tar += with_sum(old_sparse(500'000)) + padded("ABCD");
  const Seen seen = walk(tar + kEnd, true, limits);
  ASSERT_EQ(seen.problems.size(), 2u);
  EXPECT_NE(seen.problems[0].find("(a bomb)"), std::string::npos);
  EXPECT_EQ(seen.contents[1].size(), 500'000u);
  EXPECT_EQ(seen.contents[3], "ABCD");
}

TEST(Tar, LeavesOutNamesThatLeadElsewhere) {
  const Seen seen = walk(member("../up", "x") + member("/etc/passwd", "x") + member("a/../b", "x") +
                         member("x", pax("path", "../hidden"), 'x') + member("fine", "x") +
                         member("units/a\\x2db", "x") + member("./ok", "x") + kEnd);
  ASSERT_EQ(seen.members.size(), 2u);
  EXPECT_EQ(seen.members[0].name, "units/a\\x2db");
  EXPECT_EQ(seen.members[1].name, "./ok");
  EXPECT_EQ(seen.problems.size(), 4u);
}

TEST(Tar, EveryCutIsAProblem) {
  const std::string whole = member("a", std::string(700, 'a')) +
                            member("x", pax("path", "long"), 'x') + member("b", "bytes");
  for (std::size_t size = 0; size < whole.size(); size += 64) {
    const Seen seen = walk(whole.substr(0, size));
    EXPECT_EQ(seen.problems.size(), 1u) << size;
  }
  const Seen cut = walk(whole.substr(0, 600));
  EXPECT_NE(cut.contents.at(0).find("612 bytes before the member does"), std::string::npos);
  EXPECT_NE(cut.problems.at(0).find("offset 0: member 'a' is cut"), std::string::npos);
  EXPECT_NE(walk(whole).problems.at(0).find("no end mark"), std::string::npos);
  EXPECT_TRUE(walk(whole + kEnd).problems.empty());
}

TEST(Tar, WhatComesBeforeAFaultStands) {
  std::string tar = member("good", "x") + member("bad", "y") + kEnd;
  tar[1024 + 5] ^= 1;
  const Seen seen = walk(tar);
  EXPECT_EQ(seen.members.size(), 1u);
  ASSERT_EQ(seen.problems.size(), 1u);
  EXPECT_NE(seen.problems[0].find("offset 1024: no header"), std::string::npos);
}

TEST(Tar, RefusesClaims) {
  Header huge{"huge"};
  huge.size_field = std::string("\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12);
  EXPECT_NE(walk(block(huge)).problems.at(0).find("more than the limit"), std::string::npos);
  huge.size_field = std::string(12, '\xff');  // negative
  EXPECT_EQ(walk(block(huge)).members.size(), 0u);
  Header name{"././@LongLink"};
  name.type = 'L';
  name.size = 5'000'000;
  EXPECT_NE(walk(block(name)).problems.at(0).find("extended header of 5000000"), std::string::npos);
  for (const char* bad : {"99999999999 path=x\n", "4 path=x\n", "path=x", "8 path\n", "0 a=b\n"}) {
    const Seen seen = walk(member("x", bad, 'x') + member("a", "x") + kEnd);
    EXPECT_EQ(seen.members.size(), 1u) << bad;
    EXPECT_EQ(seen.problems.size(), 1u) << bad;
  }
  ArchiveLimits limits;
  limits.members = 2;
  EXPECT_EQ(
      walk(member("a", "") + member("b", "") + member("c", "") + kEnd, true, limits).members.size(),
      2u);
}

TEST(Archive, KindsByTheFirstBytes) {
  EXPECT_EQ(sniff_archive(as_bytes(load("vadd-0.1.tar")).first(512)), ArchiveKind::tar);
  EXPECT_EQ(sniff_archive(as_bytes(load("vadd-0.1-stored.whl")).first(512)), ArchiveKind::zip);
  EXPECT_EQ(sniff_archive(as_bytes(load("libcu118_vadd.a")).first(512)), ArchiveKind::ar);
  EXPECT_EQ(sniff_archive(as_bytes("!<thin>\n")), ArchiveKind::thin_ar);
  EXPECT_EQ(sniff_archive(as_bytes(std::string(512, '\0'))), ArchiveKind::none);
  EXPECT_EQ(sniff_archive(as_bytes(load("libcu130_vadd.so")).first(512)), ArchiveKind::none);
}

}  // namespace
}  // namespace kernelfit
