// SPDX-License-Identifier: Apache-2.0
#include "fatbin/cubin.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "fatbin/ptx.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// tests/fixtures/fatbin/MANIFEST.md: architecture, ABI and toolkit by the compiler that made it.
struct {
  const char* file;
  const char* arch;
  int abi;
  const char* toolkit;
  bool relocatable;
} constexpr kCubins[] = {
    {"cu118_sm80.cubin", "sm_80", 7, "11.8", false},
    {"cu124_sm90a.cubin", "sm_90a", 7, "12.4", false},
    {"cu130_sm90a.cubin", "sm_90a", 8, "13.0", false},
    {"cu130_sm100f.cubin", "sm_100f", 8, "13.0", false},
    {"cu130_sm121a.cubin", "sm_121a", 8, "13.0", false},
    {"cu130_sm80_rdc.cubin", "sm_80", 8, "13.0", true},
};

TEST(Cubin, ArchitectureToolkitAndKernel) {
  for (const auto& want : kCubins) {
    const std::string bytes = load(want.file);
    const auto cubin = parse_cubin(as_bytes(bytes), CubinDetail::kernels);
    ASSERT_TRUE(cubin) << want.file << ": " << cubin.error().text();
    EXPECT_EQ(cubin->arch.text(), want.arch) << want.file;
    EXPECT_EQ(cubin->abi, want.abi) << want.file;
    EXPECT_EQ(cubin->toolkit.text(), want.toolkit) << want.file;
    EXPECT_EQ(cubin->relocatable, want.relocatable) << want.file;
    EXPECT_EQ(cubin->kernels, std::vector<std::string>{"vadd"}) << want.file;
    const auto size = cubin_size(as_bytes(bytes));
    ASSERT_TRUE(size) << want.file;
    EXPECT_EQ(*size, bytes.size()) << want.file;
  }
}

// The last section becomes a note with this content, as NVIDIA's notes are.
std::string with_note(std::string cubin, const std::string& content) {
  const std::size_t at = cubin.size();
  cubin += std::string("\x0c\0\0\0", 4) + static_cast<char>(content.size()) +
           std::string("\0\0\0\xe8\x03\0\0", 7) + std::string("NVIDIA Corp\0", 12) + content;
  const auto put = [&](std::size_t where, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) cubin[where + i] = static_cast<char>(value >> (8 * i) & 0xff);
  };
  const std::uint64_t table = read_at<le64>(as_bytes(cubin), 40).value();
  const std::uint16_t sections = read_at<le16>(as_bytes(cubin), 60).value();
  const std::uint64_t last = table + (sections - 1) * 64;
  put(last + 4, 7, 4);  // SHT_NOTE
  put(last + 24, at, 8);
  put(last + 32, cubin.size() - at, 8);
  return cubin;
}

// What Blackwell cubins of CUDA 12.8 carry in .note.nv.cuver has the type of .note.nv.cuinfo.
TEST(Cubin, ANoteOfTheDriverIsNotTheToolkit) {
  const std::string bytes = load("cu124_sm90a.cubin");
  const std::string cuver("\1\0\x64\0\1\0\0\0\1\0\0\0", 12);
  const std::string cuinfo("\2\0\x64\0\x82\0\0\0", 8);  // 130
  for (const auto& [note, toolkit] : {std::pair(cuver, "12.4"), std::pair(cuinfo, "13.0")}) {
    const std::string noted = with_note(bytes, note);
    const auto cubin = parse_cubin(as_bytes(noted), CubinDetail::header);
    ASSERT_TRUE(cubin);
    EXPECT_EQ(cubin->toolkit.text(), toolkit);
  }
}

TEST(Cubin, HalfACubinNamesNoKernels) {
  const std::string bytes = load("cu130_sm100f.cubin");
  // 5,320: the end of its section table; only program headers stand behind.
  for (std::size_t size : {64UL, 1000UL, 5319UL}) {
    const auto cut = as_bytes(bytes).first(size);
    EXPECT_FALSE(parse_cubin(cut, CubinDetail::kernels)) << size;
    const auto header = parse_cubin(cut, CubinDetail::header);
    ASSERT_TRUE(header) << size;
    EXPECT_EQ(header->arch.number, 100);
  }
  EXPECT_FALSE(parse_cubin(as_bytes(bytes).first(63), CubinDetail::header));
}

TEST(Ptx, HeadAndKernels) {
  const std::string old = load("cu118_compute35.ptx");
  const auto first = parse_ptx(old);
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(first->isa.text(), "7.8");
  EXPECT_EQ(first->target.text(), "compute_35");
  EXPECT_EQ(first->kernels, std::vector<std::string>{"vadd"});
  const std::string fresh = load("cu130_compute100f.ptx");
  const auto second = parse_ptx(fresh);
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_EQ(second->isa.text(), "9.0");
  EXPECT_EQ(second->target.text(), "compute_100f");
}

TEST(Ptx, WordsInCommentsAndStringsAreNoDirectives) {
  const auto ptx = parse_ptx(
      "\n// .version 1.0\n/* .target sm_20 */ .version 8.5\n.target sm_90a, debug\n"
      ".address_size 64\n// .visible .entry no(\n.visible .entry yes(\n)\n"
      ".section .debug_str { .b8 \".entry no\" }\n.entry also(");
  ASSERT_TRUE(ptx) << ptx.error().text();
  EXPECT_EQ(ptx->isa.text(), "8.5");
  EXPECT_EQ(ptx->target.text(), "compute_90a");
  EXPECT_EQ(ptx->kernels, (std::vector<std::string>{"also", "yes"}));
}

// What has neither long comments nor anything but directives before ".entry" is not read by words.
TEST(Ptx, KernelsOfAPlainText) {
  const auto kernels = [](const std::string& text) {
    const auto ptx = parse_ptx(".version 8.5\n.target sm_90\n" + text);
    return ptx ? ptx->kernels : std::vector<std::string>{ptx.error().text()};
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(kernels(".visible .entry _Z1ky(\n.param .u64 y)\n{ ret; }\n\t.weak .entry b (\n)"),
            (Names{"_Z1ky", "b"}));
  EXPECT_EQ(kernels(".entry\n  // its name\n  c()"), Names{"c"});
  EXPECT_EQ(kernels(".entry_point x\n.visible.entry y\nentry z\n.reg .b32 .entryy;"), Names{});
  EXPECT_EQ(kernels("} .entry d()"), Names{"d"});
  EXPECT_EQ(kernels(".entry f();\n.entry f()\n{ ret; }"), Names{"f"});  // declared, then defined
  EXPECT_EQ(kernels("// .entry no()\n.entry e()"), Names{"e"});
}

TEST(Ptx, WhatIsNone) {
  EXPECT_FALSE(parse_ptx(""));
  EXPECT_FALSE(parse_ptx("version 8.5"));
  EXPECT_FALSE(parse_ptx(".version 8.5\n"));
  EXPECT_FALSE(parse_ptx(".version 8.5\n.target gfx90a\n"));
  EXPECT_FALSE(looks_like_ptx(as_bytes("#include <x>\n.version 8")));
}

}  // namespace
}  // namespace kernelfit
