// SPDX-License-Identifier: Apache-2.0
#include "fatbin/fatbin.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "elf/elf_file.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// The named sections of an ELF file, or a bare .fatbin.
Result<FatbinListing> list_fatbins(const RandomAccess& file) {
  std::byte first[4] = {};
  if (Status status = file.read(0, first); !status) return tl::unexpected(status.error());
  if (!looks_like_elf(first)) {
    if (as_text(first) != "\x50\xed\x55\xba") return error(ErrorKind::unsupported, "neither");
    return list_containers(file, 0, file.size(), "");
  }
  KF_TRY(ElfFile elf, parse_elf(file));
  FatbinListing all{{}, elf.problems};
  for (const auto& section : elf.sections) {
    if (section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") continue;
    FatbinListing one = list_containers(file, section.offset, section.size_bytes, section.name);
    all.containers.insert(all.containers.end(), one.containers.begin(), one.containers.end());
    all.problems.insert(all.problems.end(), one.problems.begin(), one.problems.end());
  }
  return all;
}

// As tests/fixtures/fatbin/MANIFEST.md writes it: "elf 35 none", "ptx 90a lz4", "lto-ir 80 zstd".
std::string manifest_words(const FatbinEntry& entry) {
  static const std::map<GpuArch::Kind, std::string> kKinds = {
      {GpuArch::Kind::sass, "elf"}, {GpuArch::Kind::ptx, "ptx"}, {GpuArch::Kind::lto, "lto-ir"}};
  std::string words = kKinds.at(entry.arch.kind) + " " + std::to_string(entry.arch.number);
  if (entry.arch.suffix != 0) words += entry.arch.suffix;
  return words + " " + entry.compression;
}

// "; " between entries, " | " between containers, the section in front of each container.
std::string manifest_words(const FatbinListing& listing) {
  std::string words;
  for (const auto& container : listing.containers) {
    if (!words.empty()) words += " | ";
    words += container.section.empty() ? "" : container.section + ": ";
    for (std::size_t i = 0; i < container.entries.size(); ++i) {
      words += (i == 0 ? "" : "; ") + manifest_words(container.entries[i]);
    }
  }
  return words;
}

// The column "entries" of MANIFEST.md, container by container.
struct {
  const char* file;
  const char* entries;
} constexpr kGood[] = {
    {"cu118_sm35.fatbin", "elf 35 none"},
    {"cu118_sm35_lz4.fatbin", "elf 35 lz4"},
    {"cu118_sm35_sm50_ptx50.fatbin", "elf 35 none; elf 50 none; ptx 50 lz4"},
    {"cu118_sm35_sm50_ptx50_raw.fatbin", "elf 35 none; elf 50 none; ptx 50 none"},
    {"cu118_sm35_sm50_ptx50_lz4.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"cu118_ptx70.fatbin", "ptx 70 lz4"},
    {"cu118_lto80.fatbin", "lto-ir 80 lz4"},
    {"cu124_sm75_sm80_sm86_lz4.fatbin", "elf 75 lz4; elf 80 lz4; elf 86 lz4"},
    {"cu124_sm90a_ptx90a.fatbin", "elf 90a none; ptx 90a lz4"},
    {"cu124_lto80.fatbin", "lto-ir 80 lz4"},
    {"cu124_ident_cmdline.fatbin", "elf 80 none; ptx 80 lz4"},
    {"cu124_debug_g.fatbin", "elf 80 lz4"},
    {"cu130_sm75_sm80_sm86_zstd.fatbin", "elf 75 zstd; elf 80 zstd; elf 86 zstd"},
    {"cu130_sm75_sm80_sm86_lz4.fatbin", "elf 75 lz4; elf 80 lz4; elf 86 lz4"},
    {"cu130_sm75_sm80_sm86_raw.fatbin", "elf 75 none; elf 80 none; elf 86 none"},
    {"cu130_sm75_ptx75_default.fatbin", "elf 75 none; ptx 75 zstd"},
    {"cu130_sm90a_ptx.fatbin", "elf 90a none; ptx 90a zstd"},
    {"cu130_sm100_ptx.fatbin", "elf 100 none; ptx 100 zstd"},
    {"cu130_sm100a_ptx.fatbin", "elf 100a none; ptx 100a zstd"},
    {"cu130_sm100f_ptx.fatbin", "elf 100f none; ptx 100f zstd"},
    {"cu130_sm103f_ptx.fatbin", "elf 103f none; ptx 103f zstd"},
    {"cu130_sm110f_ptx.fatbin", "elf 110f none; ptx 110f zstd"},
    {"cu130_sm120a_ptx.fatbin", "elf 120a none; ptx 120a zstd"},
    {"cu130_sm120f_ptx.fatbin", "elf 120f none; ptx 120f zstd"},
    {"cu130_sm121_ptx.fatbin", "elf 121 none; ptx 121 zstd"},
    {"cu130_lto80.fatbin", "lto-ir 80 zstd"},
    {"cu118_vadd.o", ".nv_fatbin: elf 35 none; elf 50 none; ptx 50 lz4"},
    {"cu118_vadd_rdc.o", "__nv_relfatbin: elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"libcu118_vadd.so", ".nv_fatbin: elf 35 none; elf 50 none; ptx 50 lz4"},
    {"libcu118_vadd_rdc.so",
     "__nv_relfatbin: elf 35 lz4; elf 50 lz4; ptx 50 lz4 | .nv_fatbin: elf 35 none; elf 50 none"},
    {"libcu118_vadd_rdc_nodlink.so", "__nv_relfatbin: elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"cu124_vadd.o", ".nv_fatbin: elf 75 none; elf 80 none; elf 86 none; ptx 86 lz4"},
    {"cu124_vadd_rdc.o", "__nv_relfatbin: elf 75 lz4; elf 80 lz4; elf 86 lz4; ptx 86 lz4"},
    {"libcu124_vadd.so", ".nv_fatbin: elf 75 none; elf 80 none; elf 86 none; ptx 86 lz4"},
    {"libcu124_vadd_rdc.so",
     "__nv_relfatbin: elf 75 lz4; elf 80 lz4; elf 86 lz4; ptx 86 lz4 | "
     ".nv_fatbin: elf 75 none; elf 80 none; elf 86 none"},
    {"libcu124_vadd_rdc_nodlink.so",
     "__nv_relfatbin: elf 75 lz4; elf 80 lz4; elf 86 lz4; ptx 86 lz4"},
    {"cu130_vadd.o",
     ".nv_fatbin: elf 75 none; elf 90a none; elf 100f none; elf 120 none; ptx 120 zstd"},
    {"cu130_vadd_rdc.o",
     "__nv_relfatbin: elf 75 zstd; elf 90a zstd; elf 100f zstd; elf 120 zstd; ptx 120 zstd"},
    {"libcu130_vadd.so",
     ".nv_fatbin: elf 75 none; elf 90a none; elf 100f none; elf 120 none; ptx 120 zstd"},
    {"libcu130_vadd_rdc.so",
     "__nv_relfatbin: elf 75 zstd; elf 90a zstd; elf 100f zstd; elf 120 zstd; ptx 120 zstd | "
     ".nv_fatbin: elf 75 none; elf 90a none; elf 100f none; elf 120 none"},
    {"libcu130_vadd_rdc_nodlink.so",
     "__nv_relfatbin: elf 75 zstd; elf 90a zstd; elf 100f zstd; elf 120 zstd; ptx 120 zstd"},
    {"libcu130_vadd_compress_all.so",
     ".nv_fatbin: elf 75 zstd; elf 90a zstd; elf 100f zstd; elf 120 zstd; ptx 120 zstd"},
    {"libcu124_two_tu.so",
     ".nv_fatbin: elf 80 none; elf 86 none; ptx 86 lz4 | "
     ".nv_fatbin: elf 80 none; elf 86 none; ptx 86 lz4"},
    {"elf32_le.so", ".nv_fatbin: elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    // Cubins are ELF files without containers; a fatbin in .data is found by the whole-file scan.
    {"cu118_sm80.cubin", ""},
    {"cu124_sm90a.cubin", ""},
    {"cu130_sm90a.cubin", ""},
    {"cu130_sm100f.cubin", ""},
    {"cu130_sm121a.cubin", ""},
    {"cu130_sm80_rdc.cubin", ""},
    {"fatbin_in_data_section.so", ""},
    // Faults of the payload only: the listing stands.
    {"fault_header_only.fatbin", ""},
    {"fault_csize_gt_psize.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"fault_usize_huge.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"fault_string_offsets.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"fault_corrupt_lz4.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4"},
    {"fault_concat_pad.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4 | ptx 70 lz4 | elf 35 none"},
};

TEST(Fatbin, ListsWhatTheManifestSays) {
  for (const auto& c : kGood) {
    SCOPED_TRACE(c.file);
    std::string bytes = load(c.file);
    // An empty container has no entries to write down.
    auto listing = list_fatbins(BufferAccess(as_bytes(bytes)));
    ASSERT_TRUE(listing) << listing.error().text();
    EXPECT_EQ(manifest_words(*listing), c.entries);
    EXPECT_TRUE(listing->problems.empty()) << listing->problems.front();
  }
}

// docs/fatbin.md and the fault table of MANIFEST.md: what stands before the fault is kept, the
// fault is named with its offset.
struct {
  const char* file;
  const char* entries;
  const char* problem;
} constexpr kFaults[] = {
    {"fault_trunc_payload.fatbin", "elf 35 lz4; elf 50 lz4", "longer than its container"},
    {"fault_trunc_header.fatbin", "elf 35 lz4", "entry header is cut off"},
    {"fault_trunc_container_header.fatbin", "", "container header is cut off"},
    {"fault_fatsize_max.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4", "are left"},
    {"fault_fatsize_2p63.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4", "are left"},
    {"fault_fatsize_short.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4",
     "longer than its container"},
    {"fault_entry_hsize0.fatbin", "", "offset 16: entry header of 0 bytes"},
    {"fault_entry_hsize0_psize0.fatbin", "", "offset 16: entry header of 0 bytes"},
    {"fault_entry_hsize_huge.fatbin", "", "offset 16: entry header of 4294967280 bytes"},
    {"fault_entry_psize_wrap.fatbin", "elf 35 lz4", "longer than its container"},
    {"fault_unknown_kind.fatbin", "elf 50 lz4; ptx 50 lz4", "offset 16: entry kind 0x4000"},
    {"fault_version9.fatbin", "elf 35 lz4; elf 50 lz4; ptx 50 lz4", "container version 9"},
    {"fault_arch_huge.fatbin", "elf 50 lz4; ptx 50 lz4", "architecture 4294967295"},
    {"fault_magic_in_junk.bin", "", "offset 0: container header of"},
    {"fault_section_size_huge.so", ".nv_fatbin: elf 35 none; elf 50 none; ptx 50 lz4",
     "reaches past the end of the file"},
    {"fault_section_not_fatbin.so", "", "no fat binary container here"},
};

TEST(Fatbin, KeepsWhatStandsBeforeAFault) {
  for (const auto& c : kFaults) {
    SCOPED_TRACE(c.file);
    std::string bytes = load(c.file);
    auto listing = list_fatbins(BufferAccess(as_bytes(bytes)));
    ASSERT_TRUE(listing) << listing.error().text();
    EXPECT_EQ(manifest_words(*listing), c.entries);
    ASSERT_FALSE(listing->problems.empty());
    std::string problems;
    for (const auto& problem : listing->problems) problems += problem + "\n";
    EXPECT_NE(problems.find(c.problem), std::string::npos) << problems;
    EXPECT_EQ(listing->problems.front().rfind("offset ", 0), 0u);
  }
}

TEST(Fatbin, ReadsPtxIsaAndSizes) {
  std::string bytes = load("cu130_sm75_ptx75_default.fatbin");
  auto listing = list_fatbins(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(listing);
  const auto& entries = listing->containers.at(0).entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_TRUE(entries[0].ptx_isa.empty());
  EXPECT_EQ(entries[1].ptx_isa.text(), "9.0");  // CUDA 13.0: data/cuda/driver_branches.csv
  EXPECT_EQ(entries[0].code_bytes, entries[0].stored_bytes);  // raw
  EXPECT_GT(entries[1].code_bytes, entries[1].stored_bytes);  // zstd
}

TEST(Fatbin, CountsOnlyBytesThatCanBe) {
  std::string bytes = load("fault_usize_huge.fatbin");
  auto listing = list_fatbins(BufferAccess(as_bytes(bytes)));
  ASSERT_TRUE(listing);
  for (const auto& entry : listing->containers.at(0).entries) {
    EXPECT_LT(entry.code_bytes, bytes.size() * 100);
  }
}

// Every prefix of a library: no crash, and nothing that the whole file does not have.
TEST(Fatbin, SurvivesEveryTruncation) {
  std::string whole = load("cu130_vadd.o");
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    auto listing = list_fatbins(BufferAccess(as_bytes(std::string_view(whole).substr(0, size))));
    EXPECT_FALSE(listing) << size;  // its section table stands at the end
  }
  std::string bare = load("cu118_sm35_sm50_ptx50.fatbin");
  for (std::size_t size = 16; size < bare.size(); size += 41) {
    auto listing = list_fatbins(BufferAccess(as_bytes(std::string_view(bare).substr(0, size))));
    ASSERT_TRUE(listing) << size;
    EXPECT_FALSE(listing->problems.empty()) << size;
    EXPECT_LE(listing->containers.at(0).entries.size(), 3u);
  }
}

// A file of nothing but zeros, and one of empty containers: bounded work.
TEST(Fatbin, StopsAtItsLimits) {
  std::string zeros(1 << 20, '\0');
  auto listing = list_containers(BufferAccess(as_bytes(zeros)), 0, zeros.size(), ".nv_fatbin");
  EXPECT_TRUE(listing.containers.empty());
  EXPECT_EQ(listing.problems.size(), 1u);

  std::string one = load("fault_header_only.fatbin"), many;
  for (int i = 0; i < 100'001; ++i) many += one;
  listing = list_containers(BufferAccess(as_bytes(many)), 0, many.size(), ".nv_fatbin");
  EXPECT_EQ(listing.containers.size(), 100'000u);
  EXPECT_EQ(listing.problems.back(), "offset 1600000: more than 100000 containers");
}

}  // namespace
}  // namespace kernelfit
