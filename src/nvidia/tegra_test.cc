// SPDX-License-Identifier: Apache-2.0
#include "nvidia/tegra.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

TEST(Tegra, ReadsTheRelease) {
  static constexpr struct {
    const char *file, *l4t;
  } kCases[] = {
      {"nv_tegra_release_r32.7.6_nano.txt", "32.7.6"},
      {"nv_tegra_release_r36.4.3_orin.txt", "36.4.3"},
      {"nv_tegra_release_r38.2.0_thor.txt", "38.2.0"},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.file);
    std::optional<DottedVersion> l4t =
        parse_nv_tegra_release(fixture(std::string("jetson_tegra/") + test.file));
    ASSERT_TRUE(l4t);
    EXPECT_EQ(l4t->text(), test.l4t);
  }
  EXPECT_EQ(parse_l4t_package_version("36.4.3-20250107174145")->text(), "36.4.3");
  const JetpackRelease releases[] = {{dotted("35.4.1"), "5.1.2"}, {dotted("36.2"), "6.0"}};
  EXPECT_EQ(jetpack_of_l4t(dotted("35.4.1"), releases), "5.1.2");
  EXPECT_EQ(jetpack_of_l4t(dotted("36.2.0"), releases), "6.0");  // the file says R36, 2.0
  EXPECT_EQ(jetpack_of_l4t(dotted("99.1"), releases), "");
  EXPECT_FALSE(parse_nv_tegra_release("no release\n"));
}

TEST(Tegra, TellsTheChip) {
  using namespace std::string_view_literals;
  const std::vector<TegraChip> chips = {{"", "Thor", ComputeCapability{10, 1}},
                                        {"nvidia,tegra194", "Xavier", ComputeCapability{7, 2}},
                                        {"nvidia,tegra234", "Orin", ComputeCapability{8, 7}}};
  std::optional<TegraChip> orin = parse_device_tree_compatible(
      "nvidia,p3737-0000+p3701-0000\0nvidia,p3701-0000\0nvidia,tegra234\0"sv, chips);
  ASSERT_TRUE(orin);
  EXPECT_EQ(orin->name, "Orin");
  EXPECT_EQ(orin->capability.text(), "8.7");
  EXPECT_EQ(parse_device_tree_compatible("nvidia,tegra194\0"sv, chips)->capability.text(), "7.2");
  EXPECT_FALSE(parse_device_tree_compatible("nvidia,tegra999\0\0"sv, chips));
  EXPECT_FALSE(parse_device_tree_compatible("raspberrypi,4-model-b\0brcm,bcm2711\0"sv, chips));
}

}  // namespace
}  // namespace kernelfit
