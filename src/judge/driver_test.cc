// SPDX-License-Identifier: Apache-2.0
// Expected values: docs/compatibility.md 3, NVIDIA's driver tables as in cuda/driver_min.csv.
#include "judge/driver.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnown = Knowledge::embedded();
  return kKnown;
}

Card card(std::string_view text) {
  auto gpu = gpu_from_text(text, known());
  return gpu ? identify(*gpu, known()) : Card();
}

std::vector<Card> cards(std::initializer_list<std::string_view> texts) {
  std::vector<Card> out;
  for (auto text : texts) out.push_back(card(text));
  return out;
}

TEST(Branch, OfAVersion) {
  struct Case {
    const char* version;
    DriverOs os;
    int branch;
  };
  const Case cases[] = {
      {"535.183.01", DriverOs::linux, 535}, {"390.157", DriverOs::linux, 390},
      {"470.256.02", DriverOs::linux, 470}, {"580.95.05", DriverOs::linux, 580},
      {"415.27", DriverOs::linux, 410},     {"610.57.04", DriverOs::linux, 610},
      {"551.86", DriverOs::windows, 550},   {"582.41", DriverOs::windows, 580},
      {"572.16", DriverOs::windows, 570},   {"441.22", DriverOs::windows, 440},
      {"425.31", DriverOs::windows, 418},   {"391.35", DriverOs::windows, 390},
      {"475.14", DriverOs::windows, 470},   {"616.92", DriverOs::windows, 615},
      {"452.39", DriverOs::windows, 450},   {"546.01", DriverOs::windows, 545},
  };
  for (const auto& c : cases) {
    const auto* branch = branch_of(dotted(c.version), c.os, known());
    ASSERT_NE(branch, nullptr) << c.version;
    EXPECT_EQ(branch->branch, c.branch) << c.version;
  }
  EXPECT_EQ(branch_of(dotted("173.14"), DriverOs::linux, known()), nullptr);
  EXPECT_EQ(branch_of(dotted("700.10"), DriverOs::linux, known()), nullptr);
}

TEST(DriverNeeded, Floors) {
  struct Case {
    const char* cuda;
    const char* full;
    const char* card;
    DriverOs os;
    const char* minimum;
    bool impossible;
  };
  const Case cases[] = {
      // The minor-version floor of the major, from 11.1 on.
      {"12.6", "12.6.3", "3090", DriverOs::linux, "525.60.13", false},
      {"12.6", "12.6.3", "3090", DriverOs::windows, "527.41", false},
      {"11.8", "11.8.0", "K80", DriverOs::linux, "450.80.02", false},
      {"11.8", "", "1080 Ti", DriverOs::windows, "452.39", false},
      {"13.0", "13.0.2", "3090", DriverOs::linux, "580.65.06", false},
      {"13.2", "13.2.1", "3090", DriverOs::windows, "580", false},
      {"12.7", "", "3090", DriverOs::linux, "525.60.13", false},
      // The exact value before it.
      {"10.2", "10.2.89", "1080 Ti", DriverOs::linux, "440.33", false},
      {"10.2", "10.2.89", "1080 Ti", DriverOs::windows, "441.22", false},
      {"9.1", "9.1.85", "1080 Ti", DriverOs::linux, "387.26", false},  // or 390.46: sources differ

      {"11.0", "11.0.3", "A100", DriverOs::linux, "450.36.06", false},
      // The card's first branch, where it is later.
      {"12.8", "12.8.1", "5090", DriverOs::linux, "570", false},
      {"12.8", "12.8.1", "5090", DriverOs::windows, "570", false},
      {"11.8", "11.8.0", "4090", DriverOs::linux, "520", false},
      {"11.1", "11.1.1", "3090", DriverOs::linux, "455", false},
      {"12.9", "12.9.1", "GB10", DriverOs::linux, "575", false},
      // Impossible whatever the driver.
      {"12.1", "", "K80", DriverOs::linux, "525.60.13", true},
      {"12.6", "", "3.5", DriverOs::windows, "527.41", true},
      {"13.0", "13.0.2", "1080 Ti", DriverOs::linux, "580.65.06", true},
      {"13.2", "", "V100", DriverOs::linux, "580.65.06", true},
      {"13.0", "", "K620", DriverOs::windows, "580", true},
      {"9.2", "9.2.148", "GTX 480", DriverOs::linux, "396.37", true},
      {"11.8", "", "3.0", DriverOs::linux, "450.80.02", true},
  };
  for (const auto& c : cases) {
    auto need = driver_needed(dotted(c.cuda), c.full, false, cards({c.card}), c.os, known());
    EXPECT_EQ(need.minimum.text(), c.minimum) << c.cuda << " " << c.card;
    EXPECT_EQ(need.impossible, c.impossible) << c.cuda << " " << c.card;
    EXPECT_TRUE(need.ptx_isa.empty());
  }
}

TEST(DriverNeeded, PtxNeedsTheFullToolkitDriver) {
  auto need =
      driver_needed(dotted("12.6"), "12.6.3", true, cards({"5090"}), DriverOs::linux, known());
  EXPECT_EQ(need.minimum.text(), "570");  // 560.35.05 would do, but the card begins at 570
  EXPECT_EQ(need.ptx_isa.text(), "8.5");
  need = driver_needed(dotted("12.6"), "12.6.3", true, cards({"3090"}), DriverOs::linux, known());
  EXPECT_EQ(need.minimum.text(), "560.35.05");
  EXPECT_FALSE(need.by_minor_compatibility);
  need = driver_needed(dotted("13.2"), "13.2.1", true, cards({"3090"}), DriverOs::windows, known());
  EXPECT_EQ(need.minimum.text(),
            "595");  // no number in NVIDIA's table: the branch that serves 13.2
}

TEST(DriverNeeded, SeveralCards) {
  auto need = driver_needed(dotted("12.6"), "12.6.3", false, cards({"1060", "3090"}),
                            DriverOs::linux, known());
  EXPECT_EQ(need.last_branch, 580);
  EXPECT_EQ(need.first_branch, 455);
  EXPECT_FALSE(need.impossible);
  // Kepler and Blackwell have no branch in common.
  need = driver_needed(dotted("11.8"), "11.8.0", false, cards({"K80", "5090"}), DriverOs::linux,
                       known());
  EXPECT_TRUE(need.impossible);
}

Verdict serves(std::string_view driver, std::string_view cuda, std::string_view gpu,
               DriverOs os = DriverOs::linux, bool ptx = false) {
  auto need = driver_needed(dotted(cuda), "", ptx, cards({gpu}), os, known());
  return driver_serves(Fact<DottedVersion>::known(dotted(driver), "test"), need, os, known());
}

TEST(DriverServes, Verdicts) {
  EXPECT_EQ(serves("535.183.01", "12.6", "3090"), Verdict::native);
  EXPECT_EQ(serves("470.256.02", "12.1", "3090"), Verdict::driver_too_old);
  EXPECT_EQ(serves("470.256.02", "11.8", "K80"), Verdict::native);
  EXPECT_EQ(serves("535.183.01", "11.8", "K80"), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(serves("590.48.01", "12.6", "1080 Ti"), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(serves("580.95.05", "12.6", "1080 Ti"), Verdict::native);
  EXPECT_EQ(serves("565.57.01", "12.8", "5090"), Verdict::driver_too_old);
  EXPECT_EQ(serves("570.86.10", "12.8", "5090"), Verdict::native);
  EXPECT_EQ(serves("700.10", "13.0", "5090"), Verdict::native);  // newer than the tables
  EXPECT_EQ(serves("700.10", "12.6", "1080 Ti"), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(serves("551.86", "12.6", "3090", DriverOs::windows), Verdict::native);
  EXPECT_EQ(serves("472.12", "12.6", "3090", DriverOs::windows), Verdict::driver_too_old);
  EXPECT_EQ(serves("580.88", "13.0", "3090", DriverOs::windows), Verdict::native);
  EXPECT_EQ(serves("425.31", "10.1", "920M", DriverOs::windows), Verdict::native);
  EXPECT_EQ(serves("427.45", "10.1", "920M", DriverOs::windows), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(serves("472.12", "10.1", "920M", DriverOs::windows), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(serves("472.12", "11.8", "K80", DriverOs::windows), Verdict::native);
  // PTX ISA: minor-version compatibility does not cover it.
  EXPECT_EQ(serves("535.183.01", "12.4", "4090", DriverOs::linux, true), Verdict::driver_too_old);
  EXPECT_EQ(serves("550.163.01", "12.4", "4090", DriverOs::linux, true), Verdict::native);
}

// driver_branches.csv: "580 … floor of CUDA 13.x"; 525.60.13 is the first of R525 in NVIDIA's
// table.
TEST(DriverServes, ABareBranchIsAtLeastItsFirstRelease) {
  for (auto os : {DriverOs::linux, DriverOs::windows}) {
    EXPECT_EQ(serves("580", "13.2", "3090", os), Verdict::native);
    EXPECT_EQ(serves("525", "12.6", "3090", os), Verdict::native);
    EXPECT_EQ(serves("570", "12.8", "5090", os), Verdict::native);
    EXPECT_EQ(serves("575", "13.0", "3090", os), Verdict::driver_too_old);
    EXPECT_EQ(serves("520", "12.6", "3090", os), Verdict::driver_too_old);
    EXPECT_EQ(serves("470", "11.8", "K80", os), Verdict::native);
    EXPECT_EQ(serves("590", "12.6", "1080 Ti", os), Verdict::driver_too_new_for_gpu);
    // 450.36.06 is of R450 too, the floor of CUDA 11.x is 450.80.02
    EXPECT_EQ(serves("450", "11.8", "1080 Ti", os), Verdict::driver_too_old);
  }
  EXPECT_EQ(branch_of(dotted("525"), DriverOs::windows, known())->branch, 525);
}

TEST(DriverServes, WhichCardIsTheCause) {
  struct Case {
    const char* card;
    const char* driver;
    DriverOs os;
    bool dropped, precedes;
  };
  const Case cases[] = {
      {"K80", "550.163.01", DriverOs::linux, true, false},
      {"A100", "550.163.01", DriverOs::linux, false, false},
      {"5090", "550.163.01", DriverOs::linux, false, true},
      {"1080 Ti", "580.95.05", DriverOs::linux, false, false},
      {"1080 Ti", "590.48.01", DriverOs::linux, true, false},
      {"920M", "427.45", DriverOs::windows, true, false},
      {"920M", "425.31", DriverOs::windows, false, false},
      {"K80", "427.45", DriverOs::windows, false, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(driver_dropped(card(c.card), dotted(c.driver), c.os, known()), c.dropped) << c.card;
    EXPECT_EQ(driver_precedes(card(c.card), dotted(c.driver), c.os, known()), c.precedes) << c.card;
  }
}

TEST(DriverServes, AbsentIsNotUnknown) {
  auto need = driver_needed(dotted("12.6"), "", false, cards({"3090"}), DriverOs::linux, known());
  EXPECT_EQ(driver_serves(Fact<DottedVersion>::absent("/proc"), need, DriverOs::linux, known()),
            Verdict::no_driver);
  EXPECT_EQ(
      driver_serves(Fact<DottedVersion>::unknown("not asked"), need, DriverOs::linux, known()),
      Verdict::unknown);
}

std::string install(std::string_view cuda, std::initializer_list<std::string_view> gpus,
                    DriverOs os = DriverOs::linux, bool ptx = false) {
  auto need = driver_needed(dotted(cuda), "", ptx, cards(gpus), os, known());
  auto version = driver_to_install(need, os, known());
  return version ? version->text() : "";
}

TEST(DriverToInstall, WhatACarefulPersonTakes) {
  EXPECT_EQ(install("12.6", {"3060"}), "580.178.04");
  EXPECT_EQ(install("13.0", {"3060"}), "580.178.04");
  EXPECT_EQ(install("12.8", {"5090"}), "580.178.04");
  EXPECT_EQ(install("12.6", {"1080 Ti"}), "580.178.04");
  EXPECT_EQ(install("12.6", {"1060", "3090"}), "580.178.04");
  EXPECT_EQ(install("11.8", {"K80"}), "470.256.02");
  EXPECT_EQ(install("11.8", {"K80"}, DriverOs::windows), "475.14");
  EXPECT_EQ(install("10.1", {"920M"}, DriverOs::windows), "425.31");  // cuda/driver_last.csv
  EXPECT_EQ(install("", {"920M"}, DriverOs::windows), "425.31");
  EXPECT_EQ(install("10.1", {"920M", "3.5"}, DriverOs::windows), "425.31");
  EXPECT_EQ(install("10.2", {"920M"}, DriverOs::windows), "");  // it needs 441.22
  EXPECT_EQ(install("10.1", {"920M"}), "470.256.02");
  EXPECT_EQ(install("12.6", {"3060"}, DriverOs::windows), "582.78");
  EXPECT_EQ(install("13.2", {"3090"}, DriverOs::linux, true), "595.91.07");  // PTX ISA 9.2
  EXPECT_EQ(install("12.1", {"K80"}), "");
  EXPECT_EQ(install("8.0", {"GTX 480"}), "390.157");
}

TEST(ModuleFlavor, ByGeneration) {
  EXPECT_EQ(module_flavor_for(card("5090")), "open");
  EXPECT_EQ(module_flavor_for(card("B200")), "open");
  EXPECT_EQ(module_flavor_for(card("GB10")), "open");
  EXPECT_EQ(module_flavor_for(card("GH200 480GB")), "open");
  EXPECT_EQ(module_flavor_for(card("1080 Ti")), "proprietary");
  EXPECT_EQ(module_flavor_for(card("V100")), "proprietary");
  EXPECT_EQ(module_flavor_for(card("K80")), "proprietary");
  for (auto name : {"T4", "3090", "4090", "H100"}) EXPECT_EQ(module_flavor_for(card(name)), "");
}

}  // namespace
}  // namespace kernelfit
