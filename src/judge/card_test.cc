// SPDX-License-Identifier: Apache-2.0
#include "judge/card.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "judge/names.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnown = Knowledge::embedded();
  return kKnown;
}

Card given(std::string_view text) {
  auto gpu = gpu_from_text(text, known());
  if (!gpu) {
    ADD_FAILURE() << text << ": " << gpu.error().text();
    return {};
  }
  return identify(*gpu, known());
}

std::string refusal(std::string_view text) {
  auto gpu = gpu_from_text(text, known());
  if (!gpu) {
    EXPECT_EQ(gpu.error().kind, ErrorKind::usage);
    return gpu.error().message;
  }
  ADD_FAILURE() << text << " was taken for " << gpu->name.value_or("?");
  return "";
}

TEST(GpuFromText, AllWaysToNameACard) {
  struct Case {
    const char* text;
    const char* capability;
    int last_branch;
  };
  const Case cases[] = {
      {"3090", "8.6", 0},
      {"rtx3090", "8.6", 0},
      {"RTX 3090", "8.6", 0},
      {"NVIDIA GeForce RTX 3090", "8.6", 0},
      {"geforce rtx 3090 ti", "8.6", 0},
      {"GeForceRTX3090", "8.6", 0},
      {"GTX 1080 Ti", "6.1", 580},
      {"1080ti", "6.1", 580},
      {"Tesla K80", "3.7", 470},
      {"K80", "3.7", 470},
      {"K620", "5.0", 580},
      {"Quadro K620", "5.0", 580},
      {"920M", "3.5", 470},
      {"GTX 960M", "5.0", 580},
      {"RTX 3080 Laptop", "8.6", 0},
      {"NVIDIA GeForce RTX 4070 Laptop GPU", "8.9", 0},
      {"RTX 3070 mobile", "8.6", 0},
      {"RTX 2070 Super with Max-Q Design", "7.5", 0},
      {"RTX 3060 12GB", "8.6", 0},
      {"GTX 1660 Super", "7.5", 0},
      {"MX150", "6.1", 580},
      {"T4", "7.5", 0},
      {"Tesla T4", "7.5", 0},
      {"V100", "7.0", 580},
      {"Tesla V100-SXM2-16GB", "7.0", 580},
      {"P100", "6.0", 580},
      {"M40", "5.2", 580},
      {"A100", "8.0", 0},
      {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", 0},
      {"GRID A100-10C", "8.0", 0},
      {"NVIDIA A40-48Q", "8.6", 0},
      {"A10", "8.6", 0},
      {"H100", "9.0", 0},
      {"NVIDIA H100 80GB HBM3", "9.0", 0},
      {"H200", "9.0", 0},
      {"L4", "8.9", 0},
      {"L40S", "8.9", 0},
      {"RTX A6000", "8.6", 0},
      {"RTX 6000 Ada Generation", "8.9", 0},
      {"RTX PRO 6000 Blackwell Workstation Edition", "12.0", 0},
      {"5090", "12.0", 0},
      {"B200", "10.0", 0},
      {"GB10", "12.1", 0},
      {"DGX Spark", "12.1", 0},
      {"GTX 480", "2.0", 390},
      {"Tesla K40", "3.5", 470},  // K40c, K40m, K40s, K40t
      {"K40", "3.5", 470},
      {"Tesla K20", "3.5", 470},
      {"Tesla M40", "5.2", 580},
      {"Quadro RTX 6000", "7.5", 0},
      {"8.6", "8.6", 0},
      {"sm_86", "8.6", 0},
      {"compute_61", "6.1", 580},
      {"3.5", "3.5", 470},
      {"2.1", "2.1", 390},
      {"10de:2206", "8.6", 0},
      {"10DE:2206", "8.6", 0},
      {"10de:1b06", "6.1", 580},
      {"10de:1287", "3.5", 470},
      {"10de:0f02", "2.1", 390},
  };
  for (const auto& c : cases) {
    Card card = given(c.text);
    ASSERT_TRUE(card.capability.has()) << c.text;
    EXPECT_EQ(card.capability->text(), c.capability) << c.text;
    EXPECT_EQ(card.last_branch, c.last_branch) << c.text;
    EXPECT_TRUE(card.branch_known) << c.text;
    EXPECT_TRUE(card.variants.empty()) << c.text;
  }
}

TEST(GpuFromText, Jetson) {
  for (auto text : {"Jetson AGX Orin", "Orin", "Orin Nano", "jetson orin nx"}) {
    Card card = given(text);
    EXPECT_TRUE(card.capability.is({8, 7})) << text;
    EXPECT_TRUE(card.tegra) << text;
  }
  EXPECT_TRUE(given("Jetson Nano").capability.is({5, 3}));
  EXPECT_TRUE(given("Jetson AGX Thor").capability.is({11, 0}));
  EXPECT_TRUE(given("Jetson Xavier NX").tegra);
  EXPECT_FALSE(given("GB10").tegra);
}

TEST(GpuFromText, AmbiguousNamesKeepTheirVariants) {
  Card card = given("gt 730");
  EXPECT_FALSE(card.capability.has());
  ASSERT_EQ(card.variants.size(), 3u);
  EXPECT_EQ(card.variants[0].capability->text(), "2.1");
  EXPECT_EQ(card.variants[1].capability->text(), "3.0");
  EXPECT_EQ(card.variants[2].capability->text(), "3.5");
  EXPECT_EQ(card.variants[0].last_branch, 390);
  EXPECT_EQ(card.variants[2].last_branch, 470);
  EXPECT_TRUE(contains(join(card.variants[0].pci_ids, " "), "10de:0f02"));
  EXPECT_TRUE(contains(join(card.variants[2].pci_ids, " "), "10de:1287"));
  for (auto text : {"GT 710", "GT 720", "GT 630", "GT 640", "GT 1030", "GTX 750 Ti", "GTX 860M",
                    "GTX 560", "820M"}) {
    EXPECT_GE(given(text).variants.size(), 2u) << text;
  }
}

TEST(GpuFromText, UnknownNamesSuggestNearOnes) {
  EXPECT_TRUE(contains(refusal("RTX 3095"), "GeForce RTX 3090"));
  EXPECT_TRUE(contains(refusal("gtx 3090"), "GeForce RTX 3090"));
  EXPECT_TRUE(contains(refusal("Radeon RX 6800"), "Radeon RX 6800"));
  refusal("");
  refusal("NVIDIA");
  refusal("9.9");
  refusal("sm_99");
  refusal("10de:ffff");
  refusal("10de:");
  refusal("10de:2206:1:2:3");
  refusal("8086:56a0");
  EXPECT_TRUE(contains(refusal("RTX"), "several"));  // all of them
  // A letter after the number may be another chip, a digit is another number.
  EXPECT_TRUE(contains(refusal("GeForce GTX 670X"), "GeForce GTX 670"));
  EXPECT_TRUE(contains(refusal("RTX 309"), "GeForce RTX 3090"));
}

// "Tesla V100" is what many products have in common; "Titan X" was sold twice.
TEST(GpuFromText, WhatSeveralProductsShareIsCalledAsItWasTyped) {
  const Card v100 = given("Tesla V100");
  EXPECT_EQ(v100.label, "Tesla V100");
  EXPECT_TRUE(v100.capability.is({7, 0}));
  EXPECT_EQ(v100.last_branch, 580);
  EXPECT_EQ(given("3090").label, "GeForce RTX 3090");
  EXPECT_TRUE(given("GTX Titan X").capability.is({5, 2}));
}

// docs/contract.md 1: an ambiguous name gets all its variants. The table: TU102 7.5 and AD102 8.9;
// GM200 5.2 and GP102 6.1.
TEST(GpuFromText, ANameOfTwoGenerationsHasAVariantForEach) {
  struct Case {
    const char* text;
    std::vector<std::pair<std::string, ComputeCapability>> variants;
  };
  for (const Case& c :
       {Case{"RTX 6000", {{"Quadro RTX 6000", {7, 5}}, {"RTX 6000 Ada Generation", {8, 9}}}},
        Case{"Titan X", {{"GeForce GTX TITAN X", {5, 2}}, {"TITAN X (Pascal)", {6, 1}}}}}) {
    const Card card = given(c.text);
    EXPECT_EQ(card.label, c.text);
    EXPECT_TRUE(card.capability.is_unknown()) << c.text;
    ASSERT_EQ(card.variants.size(), 2u) << c.text;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(card.variants[i].label, c.variants[i].first);
      EXPECT_TRUE(card.variants[i].capability.is(c.variants[i].second)) << c.text;
    }
  }
}

// driver_branches.csv: GF108 ends with 390, GK107 and GK208 with 470.
TEST(GpuFromText, NoVariantIsServedAfterTheLastBranchOfAll) {
  EXPECT_EQ(given("GT 730").last_branch, 470);
}

// NVIDIA's list of legacy CUDA GPUs; 340 is the last branch for them (driver_branches.csv).
TEST(GpuFromText, CardsBeforeFermi) {
  struct Case {
    const char *text, *capability;
  };
  for (const Case& c : {Case{"GeForce 210", "1.2"},
                        {"GT 240", "1.2"},
                        {"GTX 280", "1.3"},
                        {"8800 GT", "1.1"},
                        {"8800 GTX", "1.0"},
                        {"Tesla C1060", "1.3"},
                        {"10de:0a65", "1.2"},
                        {"Quadro FX 5800", "1.3"}}) {
    const Card card = given(c.text);
    ASSERT_TRUE(card.capability.has()) << c.text;
    EXPECT_EQ(card.capability->text(), c.capability) << c.text;
    EXPECT_EQ(card.last_branch, 340) << c.text;
  }
}

TEST(Identify, OrderOfTrust) {
  Gpu gpu;
  gpu.name = Fact<std::string>::known("GeForce GT 730", "driver (NVML)");
  gpu.pci_id = Fact<PciId>::known({0x10de, 0x1287, 0, 0}, "/sys/bus/pci");
  Card by_pci = identify(gpu, known());
  EXPECT_TRUE(by_pci.capability.is({3, 5}));
  EXPECT_EQ(by_pci.capability.source(), "table: PCI id 10de:1287");
  EXPECT_EQ(by_pci.label, "GeForce GT 730");
  gpu.compute_capability = Fact<ComputeCapability>::known({3, 0}, "driver (NVML)");
  EXPECT_TRUE(identify(gpu, known()).capability.is({3, 0}));
  EXPECT_EQ(identify(gpu, known()).capability.source(), "driver (NVML)");
  gpu.compute_capability = Fact<ComputeCapability>::given({2, 1});
  EXPECT_EQ(identify(gpu, known()).capability.state(), FactState::given);
}

TEST(Identify, WhatIsNotKnownIsSaidSo) {
  Gpu gpu;
  EXPECT_TRUE(identify(gpu, known()).capability.is_unknown());
  gpu.pci_id = Fact<PciId>::known({0x10de, 0xffff, 0, 0}, "/sys/bus/pci");
  Card card = identify(gpu, known());
  EXPECT_TRUE(card.capability.is_unknown());
  EXPECT_EQ(card.pci_ids, std::vector<std::string>{"10de:ffff"});
  EXPECT_FALSE(card.branch_known);
}

TEST(Identify, FirstBranches) {
  struct Case {
    const char* text;
    int first;
  };
  // docs/compatibility.md 3, driver_branches.csv: first Turing 410, GA10x 455, Ada and Hopper 520,
  // Blackwell 570, GB10 575, Rubin 615. toolkits.csv: sm_103 begins with CUDA 12.9, which R575
  // brings.
  const Case cases[] = {{"2080 Ti", 410}, {"A100", 450}, {"3090", 455}, {"4090", 520},
                        {"H100", 520},    {"5090", 570}, {"B200", 570}, {"GB10", 575},
                        {"B300", 575},    {"10.7", 615}, {"V100", 384}};
  for (const auto& c : cases) EXPECT_EQ(given(c.text).first_branch, c.first) << c.text;
}

TEST(Identify, KeplerNotebooksEndEarlierOnWindows) {
  EXPECT_EQ(given("920M").last_branch_windows, 418);
  EXPECT_EQ(given("920M").last_driver_windows, dotted("425.31"));  // claims.csv, "driver 441.22"
  for (auto text : {"K80", "GTX 780", "GTX 960M", "Quadro K2100M"}) {
    EXPECT_EQ(given(text).last_branch_windows, 0) << text;
    EXPECT_TRUE(given(text).last_driver_windows.empty()) << text;
  }
}

TEST(Names, Words) {
  EXPECT_EQ(join(name_words("NVIDIA GeForce RTX 3080 Laptop GPU"), " "), "rtx 3080 laptop");
  EXPECT_EQ(join(name_words("GeForce GTX 1060 with Max-Q Design"), " "), "gtx 1060 maxq");
  EXPECT_EQ(join(name_words("NVIDIA A100-SXM4-40GB MIG 3g.20gb"), " "), "a100 sxm4 40gb");
  EXPECT_EQ(join(name_words("GRID T4-16Q"), " "), "grid t4");
}

}  // namespace
}  // namespace kernelfit
