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
