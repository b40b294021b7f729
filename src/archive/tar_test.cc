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

TEST(Tar, SparseFilesAreNamed) {
  Header sparse{"holes"};
  sparse.type = 'S';
  sparse.magic = std::string("ustar  \0", 8);
  sparse.size = 4;
  const Seen seen =
      walk(block(sparse) + padded("data") +
           member("x", pax("GNU.sparse.major", "1") + pax("GNU.sparse.name", "real"), 'x') +
           member("GNUSparseFile.0/real", "map and data") + kEnd);
  ASSERT_EQ(seen.members.size(), 2u);
  EXPECT_EQ(seen.contents[0], "data");
  EXPECT_EQ(seen.members[1].name, "real");
  EXPECT_EQ(seen.problems.size(), 2u);
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
