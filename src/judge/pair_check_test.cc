// SPDX-License-Identifier: Apache-2.0
#include "judge/pair_check.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

bool accepts(const char* package, const char* version, const char* own, const char* torch) {
  static const Knowledge kKnown = Knowledge::embedded();
  return accepts_cuda(package, *PackageVersion::parse(version), *DottedVersion::parse(own),
                      *DottedVersion::parse(torch), kKnown);
}

// "PyTorch has CUDA Version=11.6 and torchvision has CUDA Version=11.3" (0.13); from 0.16 on the
// message speaks of different major versions.
TEST(PairCheck, TorchvisionComparesTheMinorUpTo015) {
  EXPECT_FALSE(accepts("torchvision", "0.13.1+cu113", "11.3", "11.6"));
  EXPECT_FALSE(accepts("torchvision", "0.15.2+cu118", "11.8", "11.7"));
  EXPECT_TRUE(accepts("torchvision", "0.16.0+cu118", "11.8", "11.7"));
  EXPECT_TRUE(accepts("torchvision", "0.20.1+cu121", "12.1", "12.4"));
  EXPECT_FALSE(accepts("torchvision", "0.28.0+cu130", "13.0", "12.6"));
}

// "PyTorch has CUDA version 12.8 whereas TorchAudio has CUDA version 12.9": public logs of 2.9;
// pytorch/audio#4226 made it the major number, and 2.11.1 holds that.
TEST(PairCheck, TorchaudioComparesTheMinorFrom013To2110) {
  EXPECT_FALSE(accepts("torchaudio", "2.9.1+cu129", "12.9", "12.8"));
  EXPECT_FALSE(accepts("torchaudio", "2.7.1+cu118", "11.8", "12.6"));
  EXPECT_FALSE(accepts("torchaudio", "0.13.1", "11.7", "11.6"));
  EXPECT_FALSE(accepts("torchaudio", "2.11.0+cu130", "13.0", "13.2"));
  EXPECT_TRUE(accepts("torchaudio", "2.11.1", "13.0", "13.2"));
  EXPECT_FALSE(accepts("torchaudio", "2.11.1", "13.0", "12.6"));
}

// torchaudio 0.9 is not built for any CUDA; 0.10 to 0.12 load libcudart.so.10.2 or .11.0.
TEST(PairCheck, TorchaudioBeforeItsCheckNeedsTheLibcudartItLoads) {
  EXPECT_TRUE(accepts("torchaudio", "0.9.0", "10.2", "11.1"));
  EXPECT_FALSE(accepts("torchaudio", "0.12.1+cu102", "10.2", "11.6"));
  EXPECT_TRUE(accepts("torchaudio", "0.12.1+cu113", "11.3", "11.6"));
}

}  // namespace
}  // namespace kernelfit
