// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_dynamic.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

using Names = std::vector<std::string>;

// `readelf -dV` of the same file (binutils 2.40).
TEST(ElfNeeds, ReadsWhatReadelfReads) {
  const std::string bytes = load("libcu130_vadd.so");
  auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(needs) << needs.error().text();
  EXPECT_EQ(needs->needed, (Names{"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6"}));
  EXPECT_EQ(needs->versions,
            (Names{"libgcc_s.so.1 GCC_3.0", "libstdc++.so.6 CXXABI_1.3", "libc.so.6 GLIBC_2.2.5"}));
  EXPECT_EQ(needs->glibc.text(), "2.2.5");
  EXPECT_EQ(needs->cxxabi.text(), "1.3");
  EXPECT_TRUE(needs->glibcxx.empty());
  EXPECT_EQ(needs->soname, "");
  EXPECT_TRUE(needs->problems.empty());
}

TEST(ElfNeeds, DoesNotAskTheSectionTable) {
  for (const char* name : {"fault_no_section_headers.so", "fault_shoff_huge.so"}) {
    const std::string bytes = load(name);
    auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
    ASSERT_TRUE(needs) << needs.error().text();
    EXPECT_EQ(needs->needed.back(), "libc.so.6");
    EXPECT_EQ(needs->glibc.text(), "2.2.5");
  }
}

TEST(ElfNeeds, SaysWhereThereIsNothingToNeed) {
  for (const char* name : {"cu130_vadd.o", "fatbin_in_data_section.so"}) {
    const std::string bytes = load(name);
    auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
    ASSERT_FALSE(needs) << name;
    EXPECT_EQ(needs.error().kind, ErrorKind::not_found) << needs.error().text();
  }
  EXPECT_EQ(parse_elf_needs(BufferAccess(as_bytes(load("elf32_le.so")))).error().kind,
            ErrorKind::unsupported);
  EXPECT_FALSE(parse_elf_needs(BufferAccess(as_bytes(load("vadd_pe.dll")))));
}

// A library made by hand: one segment at address 0x1000 = offset 0; entries at 0xb0, names at
// 0x200, versions at 0x300.
struct Made {
  std::string names = std::string(1, '\0'), entries, versions;
  std::uint64_t add(const std::string& name) {
    names += name + '\0';
    return names.size() - name.size() - 1;
  }
  void entry(std::uint64_t tag, std::uint64_t value) {
    entries += number(tag, 8) + number(value, 8);
  }
  std::string build() {
    entry(5, 0x1400);
    entry(10, names.size());
    if (!versions.empty()) entry(0x6ffffffe, 0x1300), entry(0x6fffffff, 9);
    entry(0, 0);
    std::string b = std::string(
                        "\x7f"
                        "ELF\2\1\1",
                        7) +
                    std::string(9, '\0') + number(3, 2) + number(62, 2) + number(1, 4) +
                    number(0, 8) + number(64, 8) + number(0, 8) + number(0, 4) + number(64, 2) +
                    number(56, 2) + number(2, 2) + number(64, 2) + number(0, 4);
    b += number(1, 4) + number(5, 4) + number(0, 8) + number(0x1000, 8) + number(0, 8) +
         number(0x400 + names.size(), 8) + number(0x400 + names.size(), 8) + number(4096, 8);
    b += number(2, 4) + number(6, 4) + number(0xb0, 8) + number(0x10b0, 8) + number(0, 8) +
         number(entries.size(), 8) + number(entries.size(), 8) + number(8, 8);
    b += entries;
    b.resize(0x300, '\0');
    b += versions;
    b.resize(0x400, '\0');
    return b + names;
  }
};

TEST(ElfNeeds, RunPathsSonameAndFloors) {
  Made made;
  made.entry(14, made.add("libmade.so.1"));
  made.entry(15, made.add("/ignored"));
  made.entry(29, made.add("$ORIGIN:$ORIGIN/../../nvidia/cublas/lib::/usr/lib"));
  made.entry(1, made.add("libcudart.so.12"));
  const auto libc = made.add("libc.so.6");
  const auto glibc = made.add("GLIBC_2.17"), weak = made.add("GLIBC_2.99");
  const auto relr = made.add("GLIBC_ABI_DT_RELR"), cxx = made.add("GLIBCXX_3.4.30");
  const auto aux = [](std::uint64_t name, int flags, std::uint64_t next) {
    return number(0, 4) + number(static_cast<unsigned>(flags), 2) + number(2, 2) + number(name, 4) +
           number(next, 4);
  };
  made.versions = number(1, 2) + number(3, 2) + number(libc, 4) + number(16, 4) + number(0, 4) +
                  aux(glibc, 0, 16) + aux(weak, 2, 16) + aux(cxx, 0, 0);
  std::string bytes = Made(made).build();
  auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(needs) << needs.error().text();
  EXPECT_EQ(needs->soname, "libmade.so.1");
  EXPECT_EQ(needs->needed, Names{"libcudart.so.12"});
  EXPECT_EQ(needs->run_paths, (Names{"$ORIGIN", "$ORIGIN/../../nvidia/cublas/lib", "/usr/lib"}));
  EXPECT_EQ(needs->glibc.text(), "2.17");
  EXPECT_EQ(needs->glibcxx.text(), "3.4.30");
  EXPECT_EQ(needs->versions,
            (Names{"libc.so.6 GLIBC_2.17", "libc.so.6 GLIBC_2.99", "libc.so.6 GLIBCXX_3.4.30"}));
  EXPECT_TRUE(needs->problems.empty());

  made.versions = number(1, 2) + number(1, 2) + number(libc, 4) + number(16, 4) + number(0, 4) +
                  aux(relr, 0, 0);
  bytes = made.build();
  EXPECT_EQ(parse_elf_needs(BufferAccess(as_bytes(bytes)))->glibc.text(), "2.36");
}

TEST(ElfNeeds, LongRunPathsAreReadAndLongNamesAreNot) {
  Made made;
  std::string paths = "/first";
  for (int i = 0; i < 300; ++i) paths += ":$ORIGIN/../solib";
  made.entry(29, made.add(paths));
  made.entry(1, made.add(std::string(2000, 'n')));
  const std::string bytes = made.build();
  auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(needs) << needs.error().text();
  EXPECT_EQ(needs->run_paths.size(), 301u);
  EXPECT_TRUE(needs->needed.empty());
  EXPECT_EQ(needs->problems.size(), 1u);
}

TEST(ElfNeeds, HostileFieldsAreProblems) {
  Made made;
  made.entry(1, 0xffffffffffffffff);
  made.entry(1, made.add("libc.so.6"));
  const std::string row = number(1, 2) + number(0xffff, 2) + number(1, 4) + number(0xfffffff0, 4);
  made.versions = row + number(1, 4);
  std::string bytes = made.build();
  auto needs = parse_elf_needs(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(needs) << needs.error().text();
  EXPECT_EQ(needs->needed, Names{"libc.so.6"});
  EXPECT_EQ(needs->problems.size(), 2u);

  bytes = load("libcu130_vadd.so");
  for (std::size_t size = 0; size < bytes.size(); size += size < 1000 ? 1 : 97) {
    const std::string cut = bytes.substr(0, size);
    (void)parse_elf_needs(BufferAccess(as_bytes(cut)));
  }
  EXPECT_FALSE(parse_elf_needs(BufferAccess(as_bytes(bytes.substr(0, 500)))));
}

}  // namespace
}  // namespace kernelfit
