// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "elf/block_access.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

const ElfSection* find(const ElfFile& elf, std::string_view name) {
  for (const auto& section : elf.sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

// `readelf -hSW` of the same files (binutils 2.40).
struct {
  const char* file;
  int machine, type;
  std::size_t sections;
  std::uint64_t fatbin_offset, fatbin_size;
} constexpr kCases[] = {
    {"cu118_vadd.o", 62, 1, 21, 0x128, 0x13d8},
    {"libcu118_vadd.so", 62, 3, 28, 0x2010, 0x13d8},
    {"libcu124_two_tu.so", 62, 3, 28, 0x2018, 0x3278},
    {"libcu124_vadd_rdc.so", 62, 3, 36, 0x2e88, 0x2160},
    {"libcu130_vadd_rdc.so", 62, 3, 37, 0x3678, 0x4aa0},
    {"elf32_le.so", 3, 3, 3, 0x40, 0x980},
    {"cu130_vadd_rdc.o", 62, 1, 34, 0, 0},
    {"cu130_sm100f.cubin", 190, 2, 22, 0, 0},
};

TEST(ElfFile, ReadsWhatReadelfReads) {
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.file);
    std::string bytes = load(c.file);
    auto elf = parse_elf(BufferAccess(as_bytes(bytes)));
    ASSERT_TRUE(elf) << elf.error().text();
    EXPECT_EQ(elf->machine, c.machine);
    EXPECT_EQ(elf->type, c.type);
    EXPECT_EQ(elf->sections.size(), c.sections);
    const ElfSection* fatbin = find(*elf, ".nv_fatbin");
    ASSERT_EQ(fatbin != nullptr, c.fatbin_size != 0);
    if (fatbin == nullptr) continue;
    EXPECT_EQ(fatbin->offset, c.fatbin_offset);
    EXPECT_EQ(fatbin->size_bytes, c.fatbin_size);
  }
}

TEST(ElfFile, ClampsASectionThatReachesPastTheEnd) {
  std::string bytes = load("fault_section_size_huge.so");
  auto elf = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(elf) << elf.error().text();
  const ElfSection* fatbin = find(*elf, ".nv_fatbin");
  ASSERT_NE(fatbin, nullptr);
  EXPECT_EQ(fatbin->offset + fatbin->size_bytes, bytes.size());
  ASSERT_EQ(elf->problems.size(), 1u);
  EXPECT_NE(elf->problems[0].find(".nv_fatbin of 1099511627776 bytes"), std::string::npos);
}

TEST(ElfFile, SaysWhichSectionIsNotInTheFile) {
  std::string bytes = load("fault_section_nobits.so");
  auto elf = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(elf);
  const ElfSection* fatbin = find(*elf, ".nv_fatbin");
  ASSERT_NE(fatbin, nullptr);
  EXPECT_TRUE(fatbin->no_bits);
  EXPECT_EQ(fatbin->size_bytes, 0u);
}

TEST(ElfFile, RefusesATruncatedFileAtAnyLength) {
  std::string whole = load("libcu118_vadd.so");
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    auto elf = parse_elf(BufferAccess(as_bytes(std::string_view(whole).substr(0, size))));
    EXPECT_FALSE(elf) << size;
  }
}

// A download that ended early, its size reserved: zeros where the section table should be.
TEST(ElfFile, RefusesATableOfZeros) {
  std::string bytes = load("libcu118_vadd.so");
  const auto shoff = read_at<le64>(as_bytes(bytes), 40).value();
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(shoff), bytes.end(), '\0');
  auto elf = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_FALSE(elf);
  EXPECT_EQ(elf.error().text(),
            "offset " + std::to_string(shoff) + ": section header table has no section names");
}

// e_shnum 0 and e_shstrndx 0xffff: the real numbers stand in section 0. A compiler writes this from
// 65,280 sections on; here the small file's header is changed to say the same in that form.
TEST(ElfFile, FollowsSectionZeroForLargeCounts) {
  std::string bytes = load("libcu118_vadd.so");
  auto before = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(before);
  const auto shoff = read_at<le64>(as_bytes(bytes), 40).value();
  bytes.replace(shoff + 32, 2, bytes.substr(60, 2));  // sh_size of section 0 = e_shnum
  bytes.replace(shoff + 40, 2, bytes.substr(62, 2));  // sh_link of section 0 = e_shstrndx
  bytes.replace(60, 4, std::string("\0\0\xff\xff", 4));
  auto after = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(after) << after.error().text();
  ASSERT_EQ(after->sections.size(), before->sections.size());
  EXPECT_EQ(after->sections.back().name, before->sections.back().name);
}

TEST(ElfFile, RefusesACountThatCannotBe) {
  std::string bytes = load("libcu118_vadd.so");
  const auto shoff = read_at<le64>(as_bytes(bytes), 40).value();
  bytes.replace(60, 2, std::string("\0\0", 2));
  bytes.replace(shoff + 32, 8, std::string(8, '\xff'));
  auto elf = parse_elf(BufferAccess(as_bytes(bytes)));
  ASSERT_FALSE(elf);
  EXPECT_EQ(elf.error().kind, ErrorKind::truncated);
}

class CountingAccess : public BufferAccess {
 public:
  using BufferAccess::BufferAccess;
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    ++reads;
    bytes += into.size();
    return BufferAccess::read(offset, into);
  }
  mutable std::size_t reads = 0, bytes = 0;
};

TEST(ElfFile, CostsAFewReads) {
  std::string bytes = load("libcu130_vadd.so");
  CountingAccess file{as_bytes(bytes)};
  ASSERT_TRUE(parse_elf(file));
  EXPECT_LE(file.reads, 3u);
  EXPECT_LE(file.bytes, 3u * 4096);
}

TEST(BlockAccess, GivesTheSameBytesAndNeverReadsPastTheEnd) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += static_cast<char>(i * 7);
  CountingAccess file{as_bytes(bytes)};
  BlockAccess block(file);
  for (std::uint64_t offset = 0; offset + 64 <= bytes.size(); offset += 61) {
    std::string got(64, '\0');
    ASSERT_TRUE(block.read(offset, std::as_writable_bytes(std::span(got))));
    ASSERT_EQ(got, bytes.substr(offset, 64)) << offset;
  }
  EXPECT_LE(file.reads, 6u);
  std::string rest(64, '\0');
  EXPECT_FALSE(block.read(bytes.size() - 63, std::as_writable_bytes(std::span(rest))));
  EXPECT_FALSE(block.read(~std::uint64_t{0}, std::as_writable_bytes(std::span(rest))));
  EXPECT_TRUE(block.read(bytes.size(), {}));
}

TEST(ElfFile, KnowsItsMagic) {
  EXPECT_TRUE(
      looks_like_elf(as_bytes("\x7f"
                              "ELF\x02")));
  EXPECT_FALSE(
      looks_like_elf(as_bytes("\x7f"
                              "EL")));
  EXPECT_FALSE(looks_like_elf(as_bytes("MZ\x90 ")));
}

}  // namespace
}  // namespace kernelfit
