// SPDX-License-Identifier: Apache-2.0
#include "scan/torch_flags.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

using namespace std::string_literals;

// What torch 2.15.0+cu132 says of itself, with what stands around it in libtorch_python.so.
const std::string kList = "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120";
const std::string kAround = "sm_ is no list\0sm_90\0x sm_80 sm_90\0"s + kList + "\0more\0"s;

TEST(TorchFlags, FoundBetweenZeroBytes) {
  BufferAccess access(as_bytes(kAround));
  AccessStream stream(access);
  EXPECT_EQ(find_torch_flags(stream), kList);
}

TEST(TorchFlags, FoundWhereverTheBytesAreCut) {
  for (std::size_t cut = 0; cut <= kAround.size(); ++cut) {
    TorchFlagsFinder finder;
    finder.feed(as_bytes(kAround).first(cut));
    finder.feed(as_bytes(kAround).subspan(cut));
    EXPECT_EQ(finder.found(), kList) << cut;
  }
  TorchFlagsFinder finder;
  for (std::size_t i = 0; i < kAround.size(); ++i) finder.feed(as_bytes(kAround).subspan(i, 1));
  EXPECT_EQ(finder.found(), kList);
}

// Of the libtorch.so of torch 1.2.0+cu100.
TEST(TorchFlags, TheCompilersOfOldReleases) {
  const std::string held =
      "x\0-gencode;arch=compute_35,code=sm_35;-gencode;arch=compute_75,code=sm_75;"
      "-gencode;arch=compute_50,code=compute_50\0y\0"s;
  for (std::size_t cut = 0; cut <= held.size(); ++cut) {
    TorchFlagsFinder finder(true);
    finder.feed(as_bytes(held).first(cut));
    finder.feed(as_bytes(held).subspan(cut));
    EXPECT_EQ(finder.found(), "sm_35 sm_75 compute_50") << cut;
  }
  BufferAccess access(as_bytes(held));
  AccessStream stream(access);
  EXPECT_EQ(find_torch_flags(stream), "");  // a newer torch says its list elsewhere
  FileScan file;
  file.path = "/x/libtorch.so";
  EXPECT_TRUE(has_only_compiler_flags(file));
  file.path = "/x/libtorch_cuda.so";
  EXPECT_FALSE(has_only_compiler_flags(file));
}

TEST(TorchFlags, OnlyInTorchsOwnLibraries) {
  FileScan file;
  file.path = "/x/libtorch_python.so";
  EXPECT_TRUE(may_claim_archs(file));
  file.member = "torch/lib/torch_cuda.dll";
  EXPECT_TRUE(may_claim_archs(file));
  file.member = "torch/lib/libtorch_cpu.so";
  EXPECT_FALSE(may_claim_archs(file));
  file.member = "nvidia/libcublas.so.12";
  EXPECT_FALSE(may_claim_archs(file));
}

}  // namespace
}  // namespace kernelfit
