// SPDX-License-Identifier: Apache-2.0
// Expected values: docs/compatibility.md 1, docs/fatbin.md.
#include "judge/code.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

CodeRule rule(std::string_view capability, std::string_view built_with = "", bool sbsa = false) {
  auto value = *ComputeCapability::parse(capability);
  return {value, is_tegra(value), sbsa, built_with.empty() ? DottedVersion() : dotted(built_with)};
}

TEST(Code, OneImageOnOneCard) {
  struct Case {
    const char* arch;
    const char* card;
    bool runs;
  };
  const Case cases[] = {
      // SASS: same major, minor at most the card's.
      {"sm_86", "8.6", true},
      {"sm_80", "8.6", true},
      {"sm_86", "8.0", false},
      {"sm_86", "8.9", true},
      {"sm_89", "8.6", false},
      {"sm_75", "8.6", false},
      {"sm_70", "7.5", true},
      {"sm_37", "3.5", false},
      {"sm_35", "3.7", true},
      {"sm_50", "5.2", true},
      {"sm_60", "6.1", true},
      {"sm_61", "6.0", false},
      {"sm_90", "10.0", false},
      {"sm_100", "10.3", true},
      {"sm_100", "12.0", false},
      {"sm_120", "12.1", true},
      {"sm_121", "12.0", false},
      // Tegra: exact only, in both directions.
      {"sm_80", "8.7", false},
      {"sm_86", "8.7", false},
      {"sm_87", "8.7", true},
      {"sm_87", "8.9", false},
      {"sm_70", "7.2", false},
      {"sm_72", "7.5", false},
      {"sm_50", "5.3", false},
      {"sm_53", "5.3", true},
      {"sm_60", "6.2", false},
      {"sm_62", "6.2", true},
      {"sm_35", "3.2", false},
      {"sm_110", "11.0", true},
      {"sm_101", "11.0", true},  // 10.1 was renamed 11.0
      {"sm_110", "10.1", true},
      {"sm_101", "10.3", false},
      {"sm_100", "11.0", false},
      // 'a': exactly this capability.
      {"sm_90a", "9.0", true},
      {"sm_100a", "10.3", false},
      {"sm_120a", "12.1", false},
      {"compute_90a", "9.0", true},
      {"compute_90a", "10.0", false},
      // 'f': the family.
      {"sm_100f", "10.0", true},
      {"sm_100f", "10.3", true},
      {"sm_103f", "10.3", true},
      {"sm_103f", "10.0", false},
      {"sm_100f", "10.7", true},
      {"sm_100f", "11.0", false},
      {"sm_110f", "11.0", true},
      {"sm_120f", "12.0", true},
      {"sm_120f", "12.1", true},
      {"sm_121f", "12.0", false},
      {"compute_100f", "12.0", false},
      {"compute_100f", "10.3", true},
      // PTX: any card at or above, across generations, Tegra too.
      {"compute_50", "12.0", true},
      {"compute_80", "8.7", true},
      {"compute_37", "3.5", false},
      {"compute_120", "12.1", true},
      {"compute_120", "10.3", false},
      {"compute_86", "8.6", true},
      // LTO-IR never runs by itself.
      {"lto_86", "8.6", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(serves(*GpuArch::parse(c.arch), rule(c.card)), c.runs) << c.arch << " on " << c.card;
  }
}

TEST(Code, ServerArmCodeOnJetsonSinceCuda132) {
  auto on = [](const char* arch, const char* card, const char* cuda, bool allowed) {
    return serves(*GpuArch::parse(arch), rule(card, cuda, allowed));
  };
  EXPECT_TRUE(on("sm_80", "8.7", "13.2", true));
  EXPECT_TRUE(on("sm_86", "8.7", "13.2", true));
  EXPECT_TRUE(on("sm_70", "7.2", "13.2", true));
  EXPECT_FALSE(on("sm_75", "7.2", "13.2", true));
  EXPECT_FALSE(on("sm_80", "8.7", "13.0", true));   // built before it
  EXPECT_FALSE(on("sm_80", "8.7", "", true));       // not known what it was built with
  EXPECT_FALSE(on("sm_80", "8.7", "13.2", false));  // the board's driver does not serve it
  EXPECT_FALSE(on("sm_50", "5.3", "13.2", true));
  EXPECT_FALSE(on("sm_87", "8.9", "13.2", true));
}

TEST(Code, AListGivesTheNearestImage) {
  auto archs = parse_arch_list("sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90 compute_90");
  struct Case {
    const char* card;
    Verdict verdict;
    const char* used;
  };
  const Case cases[] = {
      {"8.9", Verdict::native, "sm_86"},
      {"6.1", Verdict::native, "sm_60"},
      {"12.0", Verdict::ptx_jit, "compute_90"},
      {"3.5", Verdict::no_code, ""},
      {"8.7", Verdict::no_code, ""},
      {"7.5", Verdict::native, "sm_75"},
  };
  for (const auto& c : cases) {
    auto code = code_for(archs, rule(c.card));
    EXPECT_EQ(code.verdict, c.verdict) << c.card;
    EXPECT_EQ(code.used ? code.used->text() : "", c.used) << c.card;
    EXPECT_EQ(code.needs_ptx, c.verdict == Verdict::ptx_jit) << c.card;
  }
  EXPECT_EQ(code_for(std::vector<GpuArch>{}, rule("8.6")).verdict, Verdict::unknown);
}

ContainerGroup group(const char* archs, std::int64_t containers, std::int64_t kilobytes = 1000) {
  ContainerGroup out;
  out.section = ".nv_fatbin";
  out.archs = parse_arch_list(archs);
  out.containers = containers;
  out.images = containers * static_cast<std::int64_t>(out.archs.size());
  out.code_bytes = kilobytes * 1024;
  return out;
}

BinaryImages binary(std::vector<ContainerGroup> groups) {
  BinaryImages out;
  out.groups = std::move(groups);
  return out;
}

Verdict verdict_of(std::vector<ContainerGroup> groups, const char* card, bool dispatches = false) {
  return code_for(std::vector<BinaryImages>{binary(std::move(groups))}, rule(card), dispatches)
      .verdict;
}

// docs/compatibility.md 1: containers with SASS / only PTX / none.
TEST(Code, TorchOfDebian) {
  // libtorch_cuda 2.6 of Debian: every one of 341 containers alike; its PTX is newer than Orin.
  const char* cards[][2] = {{"7.5", "native"},   {"8.0", "native"},   {"8.7", "no-code"},
                            {"8.9", "native"},   {"9.0", "native"},   {"10.0", "ptx-jit"},
                            {"10.3", "ptx-jit"}, {"12.0", "ptx-jit"}, {"12.1", "ptx-jit"}};
  for (auto [card, expected] : cards) {
    auto verdict = verdict_of({group("sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 compute_90", 341)}, card);
    EXPECT_EQ(text_of(verdict), expected) << card;
  }
}

// The containers of published files, as cubloaty and cuobjdump list them (docs/agreement.md).
TEST(Code, DispatchLibrariesCountByUnion) {
  const std::vector<ContainerGroup> nccl = {
      // libnccl.so.2 of CUDA 13
      group("sm_75 sm_80 sm_90 sm_100 sm_110 sm_120 compute_120", 138), group("sm_100", 4),
      group("sm_75 sm_80 sm_90 sm_100 sm_110 sm_120", 1)};
  EXPECT_EQ(verdict_of(nccl, "7.5", true), Verdict::native);
  EXPECT_EQ(verdict_of(nccl, "7.5"), Verdict::native);
  const std::vector<ContainerGroup> cublas = {
      // libcublasLt.so.13, its twelve commonest
      group("sm_100", 1136),
      group("sm_90 sm_120", 868),
      group("sm_90", 273),
      group("sm_80 sm_89 sm_90 sm_120", 225),
      group("sm_100 sm_120 compute_120", 176),
      group("sm_120", 82),
      group("sm_80 sm_90 sm_100 sm_120", 81),
      group("sm_103", 72),
      group("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120", 63),
      group("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120", 36),
      group("sm_75", 34),
      group("sm_80", 28)};
  EXPECT_EQ(verdict_of(cublas, "7.5", true), Verdict::native);
  EXPECT_EQ(verdict_of(cublas, "7.5"), Verdict::native);  // its shape says that it dispatches
  EXPECT_EQ(verdict_of(cublas, "8.7", true), Verdict::no_code);
  const std::vector<ContainerGroup> cudnn = {
      // libcudnn_cnn_train.so.8 of 8.7.0
      group("sm_80 sm_90", 265),
      group("sm_70", 60),
      group("sm_90", 28),
      group("sm_75", 28),
      group("sm_35 sm_50 sm_60 sm_61 sm_70 sm_75 sm_80 sm_86 sm_90 compute_90", 31),
      group("sm_86", 22),
      group("sm_80 sm_86", 7)};
  for (const char* card : {"3.7", "6.1", "7.0", "7.5", "8.6", "9.0"})
    EXPECT_EQ(verdict_of(cudnn, card), Verdict::native) << card;
}

TEST(Code, TheCommonestSetIsTheLibrarys) {
  // libtorch_cuda of 1.7.1 has sm_35 in the cuBLAS, cuSPARSE and cuDNN that it links in; torch's
  // own kernels have not (docs/knowledge.md).
  const std::vector<ContainerGroup> torch = {group("sm_37 sm_50 sm_60 sm_70 sm_75", 395),
                                             group("sm_35 sm_50 sm_60 sm_61 sm_70 sm_75", 273),
                                             group("sm_35 sm_50 sm_60 sm_70 sm_75", 131),
                                             group("sm_37 sm_50 sm_60 sm_70", 84),
                                             group("sm_35", 55),
                                             group("sm_70 sm_75", 53),
                                             group("sm_70", 19),
                                             group("sm_50 sm_60 sm_61", 13),
                                             group("sm_75", 9),
                                             group("sm_60 sm_70 sm_75", 8)};
  EXPECT_EQ(verdict_of(torch, "3.5"), Verdict::no_code);
  for (const char* card : {"3.7", "5.2", "6.1", "7.0", "7.5"})
    EXPECT_EQ(verdict_of(torch, card), Verdict::native) << card;
  // 1.13.1 in three files, of which one holds cuFFT.
  const std::vector<BinaryImages> parts = {
      binary({group("sm_37 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86", 221),
              group("sm_35 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86", 50), group("sm_80", 16),
              group("sm_86", 8), group("sm_75", 4), group("sm_70", 3)}),
      binary({group("sm_80", 94), group("compute_86", 75), group("sm_70", 73),
              group("sm_37 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86", 65), group("sm_60", 30),
              group("sm_50", 23), group("sm_35", 23), group("sm_35 sm_50 sm_60 sm_70 sm_80", 15)}),
      binary({group("sm_37 sm_50 sm_60 sm_70 sm_80 sm_86", 107),
              group("sm_35 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86", 79), group("sm_80 sm_86", 3)})};
  EXPECT_EQ(code_for(parts, rule("3.5")).verdict, Verdict::no_code);
  EXPECT_EQ(code_for(parts, rule("3.7")).verdict, Verdict::native);
  EXPECT_EQ(code_for(parts, rule("7.5")).verdict, Verdict::native);
  // libtorch_cuda_linalg of 2.14.1, and of 2.15.0, where one container of 33 has sm_75.
  const ContainerGroup newer = group("sm_80 sm_86 sm_90 sm_100 sm_120", 65);
  EXPECT_EQ(verdict_of({newer}, "7.5"), Verdict::no_code);
  EXPECT_EQ(verdict_of({newer, group("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120", 1)}, "7.5"),
            Verdict::no_code);
  EXPECT_EQ(verdict_of({newer}, "8.6"), Verdict::native);
}

TEST(Code, PartialWhereContainersSkipTheCard) {
  std::vector<ContainerGroup> groups = {group("sm_70 sm_80 sm_90", 100), group("sm_70 sm_90", 3),
                                        group("sm_90", 9)};
  auto code = code_for(std::vector<BinaryImages>{binary(groups)}, rule("8.6"));
  EXPECT_EQ(code.verdict, Verdict::partial);
  ASSERT_EQ(code.missing.size(), 1u);
  EXPECT_EQ(code.missing[0].text(), "8.6");
  EXPECT_EQ(verdict_of(groups, "7.5"), Verdict::native);  // {sm_90} alone skips nobody in between
}

// cuBLASLt 13 has one image with PTX of 7.5, a probe of the hardware, among 6,120 (cuobjdump names
// its kernel nopHardwareDetection); cuDNN's engines of CUDA 13 have two of 7.0 among 4,161.
TEST(Code, AFewOfThousandsDoNotSpeakForTheRest) {
  std::vector<ContainerGroup> many, some;
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"}) {
    many.push_back(group(arch, 500));
    some.push_back(group(arch, 5));
  }
  many.push_back(group("compute_75", 2));
  some.push_back(group("compute_75", 2));
  EXPECT_EQ(verdict_of(many, "8.7"), Verdict::partial);
  EXPECT_EQ(verdict_of(many, "8.6"), Verdict::native);
  EXPECT_EQ(verdict_of(many, "7.0"), Verdict::no_code);
  EXPECT_EQ(verdict_of(some, "8.7"), Verdict::ptx_jit);
}

TEST(Code, OneSmallContainerProvesNothing) {
  EXPECT_EQ(verdict_of({group("sm_52", 1, 3)}, "8.6"), Verdict::unknown);
  EXPECT_EQ(verdict_of({group("sm_52", 1, 3)}, "5.2"), Verdict::unknown);
  EXPECT_EQ(verdict_of({group("sm_52", 1, 3), group("sm_80 sm_90", 4)}, "8.6"), Verdict::native);
  EXPECT_EQ(verdict_of({}, "8.6"), Verdict::unknown);
}

TEST(Code, RelocatablePtxCountsForJit) {
  // bitsandbytes keeps all its PTX in __nv_relfatbin.
  auto linked = group("sm_50 sm_90 compute_90", 5);
  linked.relocatable = true;
  EXPECT_EQ(verdict_of({group("sm_50 sm_60 sm_75 sm_80 sm_86 sm_89 sm_90", 5), linked}, "12.0"),
            Verdict::ptx_jit);
  EXPECT_EQ(verdict_of({group("sm_50 sm_60 sm_75 sm_80 sm_86 sm_89 sm_90", 5), linked}, "8.6"),
            Verdict::native);
  EXPECT_EQ(verdict_of({linked}, "5.0"), Verdict::no_code);  // its SASS is not loadable as it lies
}

}  // namespace
}  // namespace kernelfit
