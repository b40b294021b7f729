// SPDX-License-Identifier: Apache-2.0
#include "fatbin/cubin_front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace kernelfit {
namespace {

using namespace std::string_literals;

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// The header of a compiler's cubin, then names as ptxas writes them (docs/fatbin.md 1.5).
std::string cubin(const std::string& names) {
  return load("cu130_sm100f.cubin").substr(0, 64) + "\0.shstrtab\0.strtab\0"s + names +
         "\0.shstrtab\0.strtab\0code"s;
}

std::vector<std::string> kernels(const std::string& bytes) {
  std::vector<std::string> out;
  EXPECT_EQ(kernels_from_front(as_bytes(bytes), out), FrontAnswer::kernels);
  std::ranges::sort(out);
  return out;
}

FrontAnswer answer(const std::string& bytes) {
  std::vector<std::string> out;
  const FrontAnswer said = kernels_from_front(as_bytes(bytes), out);
  EXPECT_TRUE(said == FrontAnswer::kernels || out.empty());
  return said;
}

using Names = std::vector<std::string>;

TEST(CubinFront, CompilersCubinsHoldTheOneKernel) {
  for (const char* file : {"cu118_sm80.cubin", "cu124_sm90a.cubin", "cu130_sm90a.cubin",
                           "cu130_sm100f.cubin", "cu130_sm121a.cubin"}) {
    EXPECT_EQ(kernels(load(file)), Names{"vadd"}) << file;
  }
}

TEST(CubinFront, TextAndParametersMakeAKernel) {
  EXPECT_EQ(kernels(cubin(".text._Z1av\0.nv.info._Z1av\0.nv.constant0._Z1av\0"
                          ".text._Z1bv\0.nv.constant0._Z1bv\0.nv.constant2._Z1bv\0"s)),
            (Names{"_Z1av", "_Z1bv"}));
  EXPECT_EQ(kernels(cubin(".text.a\0.text.b\0.nv.constant0.b\0.nv.constant0.a\0"s)),
            (Names{"a", "b"}));
  EXPECT_EQ(kernels(cubin(".nv.info\0.nv.compat\0"s)), Names{});
  // CUDA 13 leaves zeros between names.
  EXPECT_EQ(kernels(cubin(".text.a\0\0\0\0.nv.constant0.a\0\0\0"s)), Names{"a"});
}

TEST(CubinFront, WhatOnlyTheSymbolTableKnowsIsNotTold) {
  // A device function has code of its own and no parameters.
  EXPECT_EQ(answer(cubin(".text.kernel\0.nv.constant0.kernel\0.text.helper\0"s)),
            FrontAnswer::not_told);
  EXPECT_EQ(answer(load("cu130_sm100f.cubin").substr(0, 64) + "\0.strtab\0.shstrtab\0"s),
            FrontAnswer::not_told);
  EXPECT_EQ(answer(std::string(4096, 'x')), FrontAnswer::not_told);
}

TEST(CubinFront, HalfOfTheNamesAreNotAnswered) {
  const std::string whole = cubin(".text.a\0.nv.constant0.a\0.text.b\0.nv.constant0.b\0"s);
  const std::size_t behind = whole.size() - ".strtab\0code"s.size();  // .strtab has begun
  for (std::size_t size = 0; size < behind; ++size) {
    EXPECT_EQ(answer(whole.substr(0, size)), FrontAnswer::needs_more) << size;
  }
  EXPECT_EQ(answer(whole.substr(0, behind)), FrontAnswer::kernels);
}

}  // namespace
}  // namespace kernelfit
