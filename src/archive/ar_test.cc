// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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

std::string field(const std::string& text, std::size_t width) {
  return text + std::string(width - text.size(), ' ');
}
std::string header(const std::string& name, std::uint64_t size) {
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8) +
         field(std::to_string(size), 10) + "`\n";
}
std::string member(const std::string& name, const std::string& content) {
  return header(name, content.size()) + content + (content.size() % 2 != 0 ? "\n" : "");
}
const std::string kMagic = "!<arch>\n", kThin = "!<thin>\n";

ArDirectory list(const std::string& bytes) {
  auto directory = read_ar_directory(BufferAccess(as_bytes(bytes)));
  EXPECT_TRUE(directory) << directory.error().text();
  return directory ? *std::move(directory) : ArDirectory{};
}

using Names = std::vector<std::string>;
Names names(const ArDirectory& directory) {
  Names out;
  for (const auto& m : directory.members) out.push_back(m.name);
  return out;
}

// `ar tvO` of the same files (binutils 2.40).
TEST(Ar, ReadsLibraries) {
  const std::string bytes = load("libcu118_vadd.a");
  const ArDirectory directory = list(bytes);
  ASSERT_EQ(names(directory), (Names{"cu118_vadd.o", "cu118_vadd_rdc.o"}));
  EXPECT_TRUE(directory.problems.empty());
  EXPECT_FALSE(directory.thin);
  const ArMember &first = directory.members[0], &second = directory.members[1];
  EXPECT_EQ(first.data_offset, 0x256u);
  EXPECT_EQ(second.data_offset, 0x2462u);
  EXPECT_EQ(bytes.substr(first.data_offset, first.size_bytes), load("cu118_vadd.o"));
  EXPECT_EQ(bytes.substr(second.data_offset, second.size_bytes), load("cu118_vadd_rdc.o"));

  const std::string windows = load("vadd_coff.lib");
  ASSERT_EQ(names(list(windows)), Names{"vadd_coff.obj"});
  EXPECT_EQ(list(windows).members[0].data_offset, 0x90u);
  EXPECT_EQ(windows.substr(0x90, 12442), load("vadd_coff.obj"));
}

TEST(Ar, NamesOfEachKind) {
  const std::string table = "a_long_name_of_gnu.o/\nanother_long_name.o/\n";
  const std::string msvc = std::string("msvc_long_name.obj\0", 19);
  const std::string gnu = kMagic + member("/", "symbols") + member("//", table) +
                          member("short.o/", "1") + member("/0", "22") + member("/22", "333") +
                          member("with space.o/", "4444");
  EXPECT_EQ(names(list(gnu)),
            (Names{"short.o", "a_long_name_of_gnu.o", "another_long_name.o", "with space.o"}));
  EXPECT_EQ(names(list(kMagic + member("/", "1") + member("/", "2") + member("//", msvc) +
                       member("/0", "x") + member("/<ECSYMBOLS>/", "3"))),
            Names{"msvc_long_name.obj"});
  EXPECT_EQ(names(list(kMagic + member("/SYM64/", "12345678") + member("a.o/", "x"))),
            Names{"a.o"});
  const std::string bsd =
      kMagic + member("__.SYMDEF SORTED", "1234") +
      member("#1/20", std::string("bsd_long_name.o\0\0\0\0\0", 20) + "content") +
      member("plain.o", "p");
  const ArDirectory directory = list(bsd);
  ASSERT_EQ(names(directory), (Names{"bsd_long_name.o", "plain.o"}));
  EXPECT_EQ(directory.members[0].size_bytes, 7u);
  EXPECT_EQ(bsd.substr(directory.members[0].data_offset, 7), "content");
}

TEST(Ar, ThinOnesNameFilesBesideThem) {
  const std::string thin = kThin + member("/", "symb") + member("//", "sub/one.o/\ntwo.o/\n") +
                           header("/0", 5000) + header("/11", 70) + header("/11:4711", 70);
  const ArDirectory directory = list(thin);
  EXPECT_TRUE(directory.thin);
  ASSERT_EQ(names(directory), (Names{"sub/one.o", "two.o", "two.o"}));
  EXPECT_EQ(directory.members[0].size_bytes, 5000u);
  EXPECT_EQ(directory.members[0].data_offset, 0u);
  EXPECT_TRUE(directory.problems.empty());
}

// What `ar rcsT lib/libt.a obj/o1.o` and `ar rcsTP` write.
TEST(Ar, ThinOnesNameFilesElsewhere) {
  const std::string thin = kThin + member("//", "../obj/o1.o/\n/src/o2.o/\n") + header("/0", 70) +
                           header("/13", 70) + header("/", 0);
  const ArDirectory directory = list(thin);
  EXPECT_EQ(names(directory), (Names{"../obj/o1.o", "/src/o2.o"}));
  EXPECT_TRUE(directory.problems.empty());
}

TEST(Ar, ADebIsOne) {
  const std::string deb = kMagic + member("debian-binary", "2.0\n") +
                          member("control.tar.xz", "control") + member("data.tar.zst", "data!");
  BufferAccess file(as_bytes(deb));
  AccessStream stream(file);
  Names seen;
  const auto problems = walk_ar(stream, [&](const ArchiveMember& m, ByteStream& content) {
    auto all = read_all(content, 100);
    seen.push_back(m.name + "=" + std::string(as_text(*all)));
    return true;
  });
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(seen, (Names{"debian-binary=2.0\n", "control.tar.xz=control", "data.tar.zst=data!"}));
}

// 40,000 headers of 60 bytes that all name the same 4 KB would become 160 MB of names.
TEST(Ar, ManyMembersOfOneLongName) {
  std::string bytes = kMagic + member("//", std::string(100'000, 'n'));
  for (int i = 0; i < 40'000; ++i) bytes += header("/0", 0);
  const ArDirectory directory = list(bytes);
  EXPECT_EQ(directory.members.size(), (64u << 20) / 4096);
  EXPECT_NE(directory.problems.at(0).find("names that are too long"), std::string::npos);
}

TEST(Ar, CutsAndLies) {
  const std::string whole = kMagic + member("a.o/", "12345678") + member("b.o/", "123");
  for (std::size_t size = 0; size < whole.size() - 1; ++size) {
    const std::string bytes = whole.substr(0, size);
    auto directory = read_ar_directory(BufferAccess(as_bytes(bytes)));
    const bool between = size == kMagic.size() || size == kMagic.size() + 68;
    EXPECT_TRUE(between || !directory || directory->problems.size() == 1) << size;
  }
  EXPECT_TRUE(list(whole.substr(0, whole.size() - 1)).problems.empty());  // the last pad byte

  const ArDirectory cut = list(kMagic + header("a.o/", 9'999'999'999) + "short");
  ASSERT_EQ(names(cut), Names{"a.o"});
  EXPECT_EQ(cut.members[0].size_bytes, 5u);
  EXPECT_EQ(cut.problems.size(), 1u);

  const ArDirectory bad = list(kMagic + member("a.o/", "12") + std::string(60, ' '));
  EXPECT_EQ(names(bad), Names{"a.o"});
  EXPECT_NE(bad.problems.at(0).find("offset 70: no header where one must be"), std::string::npos);

  for (const char* name : {"/77", "/x", "#1/99", "../up/"}) {
    const ArDirectory lie = list(kMagic + member(name, "1234") + member("ok.o/", "x"));
    EXPECT_EQ(lie.problems.size(), 1u) << name;
  }
  EXPECT_FALSE(read_ar_directory(BufferAccess(as_bytes("!<arch>"))));
  EXPECT_FALSE(read_ar_directory(BufferAccess(as_bytes(load("libcu118_vadd.so")))));
}

}  // namespace
}  // namespace kernelfit
