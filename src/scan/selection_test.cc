// SPDX-License-Identifier: Apache-2.0
#include "scan/selection.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

GpuArch arch(std::string_view text) {
  return GpuArch::parse(text).value();
}

TEST(Selection, ACapabilityTakesEveryImageForIt) {
  const auto choice = ArchChoice::parse("9.0").value();
  for (const char* taken : {"sm_90", "sm_90a", "compute_90", "lto_90"}) {
    EXPECT_TRUE(choice.takes(arch(taken))) << taken;
  }
  EXPECT_FALSE(choice.takes(arch("sm_89")));
}

TEST(Selection, AnArchitectureTakesExactlyThat) {
  const auto plain = ArchChoice::parse("sm_90").value(), a = ArchChoice::parse("sm_90a").value();
  EXPECT_TRUE(plain.takes(arch("sm_90")));
  EXPECT_TRUE(plain.takes(arch("compute_90")));
  EXPECT_FALSE(plain.takes(arch("sm_90a")));
  EXPECT_TRUE(a.takes(arch("sm_90a")));
  EXPECT_FALSE(a.takes(arch("sm_90")));
  const auto ptx = ArchChoice::parse("compute_90").value();
  EXPECT_TRUE(ptx.takes(arch("compute_90")));
  EXPECT_FALSE(ptx.takes(arch("sm_90")));
  EXPECT_FALSE(ArchChoice::parse("turing"));
}

TEST(Selection, KindsAndArchitecturesBothHaveToFit) {
  Selection selection;
  selection.archs = {ArchChoice::parse("8.6").value()};
  selection.kinds = {GpuArch::Kind::ptx};
  EXPECT_TRUE(selection.takes(arch("compute_86")));
  EXPECT_FALSE(selection.takes(arch("sm_86")));
  EXPECT_FALSE(selection.takes(arch("compute_80")));
}

TEST(Selection, MembersByGlob) {
  FileScan file;
  file.path = "/x/torch.whl";
  file.member = "torch/lib/libtorch_cuda.so";
  Selection selection;
  for (const char* glob : {"*torch_cuda*", "libtorch_cuda.so", "torch/*/lib*.s?", "*"}) {
    selection.members = {glob};
    EXPECT_TRUE(selection.takes(file)) << glob;
  }
  for (const char* glob : {"torch_cuda", "*.dll", "lib?.so", ""}) {
    selection.members = {glob};
    EXPECT_FALSE(selection.takes(file)) << glob;
  }
}

TEST(Selection, AGlobOfManyStarsEnds) {
  const std::string stars(200, '*');
  EXPECT_FALSE(glob_matches(stars + "b", std::string(20000, 'a')));
  EXPECT_TRUE(glob_matches("a*b*c", "aXbXbXc"));
}

}  // namespace
}  // namespace kernelfit
