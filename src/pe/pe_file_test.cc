// SPDX-License-Identifier: Apache-2.0
#include "pe/pe_file.h"

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

using Names = std::vector<std::string>;

Names names(const PeFile& pe) {
  Names out;
  for (const auto& section : pe.sections) out.push_back(section.name);
  return out;
}

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
  return out;
}

void put(std::string& bytes, std::size_t at, const std::string& what) {
  if (bytes.size() < at + what.size()) bytes.resize(at + what.size(), '\0');
  bytes.replace(at, what.size(), what);
}

// A PE32+ of one section, .rdata at address 0x1000 and offset 0x400, that imports two libraries
// and one delayed. Offsets as in Microsoft's PE Format, "Optional Header".
std::string with_imports() {
  std::string bytes(0x800, '\0');
  put(bytes, 0, "MZ");
  put(bytes, 0x3c, number(0x80, 4));
  put(bytes, 0x80, std::string("PE\0\0", 4));
  put(bytes, 0x84,
      number(0x8664, 2) + number(1, 2) + number(0, 12) + number(240, 2) + number(0x2022, 2));
  put(bytes, 0x98, number(0x20b, 2));
  put(bytes, 0x98 + 108, number(16, 4));                               // NumberOfRvaAndSizes
  put(bytes, 0x98 + 112 + 8 * 1, number(0x1000, 4) + number(60, 4));   // imports
  put(bytes, 0x98 + 112 + 8 * 13, number(0x1100, 4) + number(64, 4));  // delay-loaded
  put(bytes, 0x98 + 240,
      std::string(".rdata\0\0", 8) + number(0x300, 4) + number(0x1000, 4) + number(0x400, 4) +
          number(0x400, 4) + number(0, 12) + number(0x40000040, 4));
  put(bytes, 0x400, number(0, 12) + number(0x1200, 4) + number(0, 4));
  put(bytes, 0x414, number(0, 12) + number(0x1210, 4) + number(0, 4));
  put(bytes, 0x500, number(1, 4) + number(0x1220, 4));
  put(bytes, 0x600, "cudart64_12.dll");
  put(bytes, 0x610, "KERNEL32.dll");
  put(bytes, 0x620, "nvcuda.dll");
  return bytes;
}

// `objdump -h` of the same file (binutils 2.40).
TEST(PeFile, ReadsTheSectionsOfALibrary) {
  const std::string bytes = load("vadd_pe.dll");
  auto pe = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_EQ(pe->machine, 0x8664);
  EXPECT_TRUE(pe->is_dll);
  EXPECT_FALSE(pe->is_object);
  EXPECT_EQ(names(*pe), (Names{".text", ".nv_fatb", ".nvFatBi", ".edata", ".idata", ".reloc"}));
  EXPECT_EQ(pe->sections[1].offset, 0x600u);
  EXPECT_EQ(pe->sections[1].size_bytes, 0x2e20u);
  EXPECT_EQ(pe->sections[1].virtual_address, 0x2000u);
  EXPECT_EQ(pe->sections[0].flags & 0x20000000, 0x20000000u);
  EXPECT_TRUE(pe->imports.empty());
  EXPECT_TRUE(pe->problems.empty());
}

TEST(PeFile, ReadsImportsAndDelayedOnes) {
  const std::string bytes = with_imports();
  auto pe = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_EQ(pe->imports, (Names{"cudart64_12.dll", "KERNEL32.dll", "nvcuda.dll"}));
  EXPECT_EQ(pe->problems, Names{});
  EXPECT_EQ(pe->sections.at(0).size_bytes, 0x300u);  // VirtualSize ends it
}

TEST(PeFile, ASectionPastTheEndIsClamped) {
  std::string bytes = with_imports();
  put(bytes, 0x98 + 240 + 8, number(0xffffff00, 4));
  put(bytes, 0x98 + 240 + 16, number(0xfffffff0, 4));
  auto pe = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_EQ(pe->sections.at(0).size_bytes, 0x400u);
  ASSERT_EQ(pe->problems.size(), 1u);
  EXPECT_NE(pe->problems[0].find("offset 1024: section .rdata of 4294967040 bytes"),
            std::string::npos);
  EXPECT_EQ(pe->imports.size(), 3u);
}

TEST(PeFile, ImportsThatLeadNowhereAreAProblem) {
  std::string bytes = with_imports();
  put(bytes, 0x98 + 112 + 8, number(0x9000, 4));
  put(bytes, 0x504, number(0xfffffff0, 4));
  auto pe = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_TRUE(pe->imports.empty());
  ASSERT_EQ(pe->problems.size(), 2u);
  EXPECT_NE(pe->problems[0].find("imports are in no section"), std::string::npos);
  EXPECT_NE(pe->problems[1].find("delay-loaded imports: a name"), std::string::npos);
  EXPECT_EQ(pe->sections.size(), 1u);
}

TEST(PeFile, NamesWhatItDoesNotRead) {
  std::string bytes = with_imports();
  put(bytes, 0x98, number(0x10b, 2));
  auto old = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().kind, ErrorKind::unsupported);
  EXPECT_NE(old.error().message.find("32-bit program (PE32)"), std::string::npos);

  put(bytes, 0x80, "NE");
  auto dos = parse_pe(BufferAccess(as_bytes(bytes)));
  ASSERT_FALSE(dos);
  EXPECT_NE(dos.error().message.find("offset 128: no PE signature"), std::string::npos);
  EXPECT_FALSE(parse_pe(BufferAccess(as_bytes(load("libcu130_vadd.so")))));
  EXPECT_TRUE(looks_like_pe(as_bytes("MZ\x90")));
  EXPECT_FALSE(looks_like_pe(as_bytes("M")));
}

TEST(PeFile, EveryCutIsAnErrorOrAProblem) {
  const std::string whole = load("vadd_pe.dll");
  for (std::size_t size = 0; size < 0x3c00; size += size < 0x400 ? 1 : 64) {
    const std::string bytes = whole.substr(0, size);
    auto pe = parse_pe(BufferAccess(as_bytes(bytes)));
    EXPECT_TRUE(!pe || !pe->problems.empty()) << size;
  }
}

// `objdump -h` of the same file.
TEST(CoffObject, LooksUpLongNames) {
  const std::string bytes = load("vadd_coff.obj");
  auto pe = parse_coff_object(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_TRUE(pe->is_object);
  EXPECT_EQ(names(*pe), (Names{".text", ".data", ".bss", ".nv_fatbin", ".nvFatBinSegment"}));
  EXPECT_EQ(pe->sections[3].offset, 0xecu);
  EXPECT_EQ(pe->sections[3].size_bytes, 0x2e20u);
  EXPECT_EQ(pe->sections[2].size_bytes, 0u);
  EXPECT_TRUE(pe->problems.empty());
}

// The same sections behind the header of `cl /bigobj` (winnt.h, ANON_OBJECT_HEADER_BIGOBJ).
TEST(CoffObject, ReadsBigObjects) {
  const std::string bytes = load("vadd_coff.obj");
  const auto symbols_at = read_at<le32>(as_bytes(bytes), 8).value();
  const std::string rest = bytes.substr(20);
  const std::string class_id("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8",
                             16);
  const std::string header = number(0, 2) + number(0xffff, 2) + number(2, 2) + number(0x8664, 2) +
                             number(0, 4) + class_id + number(0, 16) + number(5, 4) +
                             number(symbols_at + 36, 4);
  const auto symbols = read_at<le32>(as_bytes(bytes), 12).value();
  const std::string padding(2 * std::size_t{symbols}, '\0');  // symbols of 20 bytes, not 18
  std::string big = header + number(symbols, 4) + rest;
  big.insert(symbols_at + 36, padding);
  auto pe = parse_coff_object(BufferAccess(as_bytes(big)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_EQ(names(*pe), (Names{".text", ".data", ".bss", ".nv_fatbin", ".nvFatBinSegment"}));
  EXPECT_EQ(pe->machine, 0x8664);

  big[12] ^= 1;
  EXPECT_EQ(parse_coff_object(BufferAccess(as_bytes(big))).error().kind, ErrorKind::unsupported);
  big[4] = 0;
  EXPECT_NE(parse_coff_object(BufferAccess(as_bytes(big))).error().message.find("import"),
            std::string::npos);
}

TEST(CoffObject, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_coff_object(BufferAccess(as_bytes(""))));
  EXPECT_FALSE(parse_coff_object(BufferAccess(as_bytes(load("libcu130_vadd.so")))));
  EXPECT_FALSE(parse_coff_object(BufferAccess(as_bytes(load("vadd_pe.dll")))));
  std::string bytes = load("vadd_coff.obj");
  put(bytes, 8, number(0xfffffff0, 4));  // the string table is past the end
  auto pe = parse_coff_object(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(pe) << pe.error().text();
  EXPECT_EQ(pe->problems.size(), 2u);
  put(bytes, 0, number(0x14c, 2));
  EXPECT_EQ(parse_coff_object(BufferAccess(as_bytes(bytes))).error().kind, ErrorKind::unsupported);
}

}  // namespace
}  // namespace kernelfit
