// SPDX-License-Identifier: Apache-2.0
// PackageVersion and VersionSpecifier are compared with `packaging` in
// tests/packaging_oracle_test.py; here are the cases one should be able to read.
#include "version/version.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(DottedVersion, KeepsItsTextAndComparesByNumbers) {
  EXPECT_EQ(dotted("535.183.01").text(), "535.183.01");
  EXPECT_EQ(dotted("535.183.01"), dotted("535.183.1"));
  struct {
    const char *less, *greater;
  } cases[] = {{"580", "580.65.06"}, {"9.2", "10.0"},       {"12.6", "12.10"},
               {"2.17", "2.28"},     {"535.54", "535.104"}, {"470.256.02", "535.0"}};
  for (const auto& c : cases) {
    EXPECT_LT(dotted(c.less), dotted(c.greater)) << c.less;
    EXPECT_GT(dotted(c.greater), dotted(c.less)) << c.less;
  }
  EXPECT_EQ(dotted("12.6"), dotted("12.6.0"));
  EXPECT_EQ(dotted("12.6.85").first(2).text(), "12.6");
  EXPECT_EQ(dotted("12").minor(), 0);
  EXPECT_TRUE(dotted("").empty());
  EXPECT_EQ(dotted("").text(), "");
}

TEST(DottedVersion, RefusesWhatIsNone) {
  for (const char* text : {"", ".", "1.", ".1", "1..2", "a", "1a", "-1", "1.-2", "1.2.3.4.5.6.7",
                           "1234567890", "N/A", "12.6+", "+1"}) {
    EXPECT_FALSE(DottedVersion::parse(text).has_value()) << text;
  }
  EXPECT_EQ(DottedVersion::parse(" 12.6\n")->text(), "12.6");
}

TEST(PackageVersion, Order) {
  const char* sorted[] = {"2.6.0.dev20241222",
                          "2.6.0.dev20241222+cu126",
                          "2.6.0.dev20241222153000",
                          "2.6.0a0+git1234",
                          "2.6.0rc1",
                          "2.6.0",
                          "2.6.0+cpu",
                          "2.6.0+cu118",
                          "2.6.0+cu126",
                          "2.6.0.post1",
                          "2.10.0",
                          "1!0.1"};
  for (std::size_t i = 0; i < std::size(sorted); ++i) {
    for (std::size_t j = 0; j < std::size(sorted); ++j) {
      auto a = PackageVersion::parse(sorted[i]), b = PackageVersion::parse(sorted[j]);
      ASSERT_TRUE(a && b) << sorted[i] << " " << sorted[j];
      EXPECT_EQ(*a <=> *b, i <=> j) << sorted[i] << " " << sorted[j];
    }
  }
}

TEST(PackageVersion, Parts) {
  auto version = *PackageVersion::parse(" 2.13.0+CU126 ");
  EXPECT_EQ(version.text(), "2.13.0+CU126");
  EXPECT_EQ(version.public_text(), "2.13.0");
  EXPECT_EQ(version.local(), "cu126");
  EXPECT_EQ(version.release(1), 13);
  EXPECT_EQ(version.release(7), 0);
  EXPECT_EQ(version.release_size(), 3u);
  EXPECT_FALSE(version.is_prerelease());
  EXPECT_TRUE(PackageVersion::parse("2.6.0.dev1")->is_prerelease());
  EXPECT_TRUE(PackageVersion::parse("2.6.0-1")->is_postrelease());
  EXPECT_EQ(*PackageVersion::parse("1.0"), *PackageVersion::parse("v1.0.0"));
}

TEST(VersionSpecifier, Contains) {
  struct {
    const char *specifier, *version;
    bool inside;
  } cases[] = {{"==2.15.*", "2.15.1+cu126", true},
               {"==2.15.*", "2.16.0", false},
               {"==2.13.0", "2.13.0+cu126", true},
               {"==2.13.0+cu126", "2.13.0", false},
               {">=3.10,<3.13", "3.12.4", true},
               {">=3.10,<3.13", "3.13.0", false},
               {"<3.13", "3.13.0rc1", false},
               {"~=2.1", "2.9", true},
               {"~=2.1", "3.0", false},
               {"~=2.1.0", "2.2", false},
               {"!=2.0.1", "2.0.1+cu118", false},
               {">2.6.0", "2.6.0.post1", false},
               {">2.6.0", "2.6.0+cu126", false},
               {">2.6.0rc1", "2.6.0", true},
               {"===1.0", "1.0.0", false},
               {"", "1.0", true},
               {"==2.*", "1!2.0", false}};
  for (const auto& c : cases) {
    auto set = VersionSpecifier::parse(c.specifier);
    ASSERT_TRUE(set) << c.specifier;
    EXPECT_EQ(set->contains(*PackageVersion::parse(c.version)), c.inside)
        << c.specifier << " " << c.version;
  }
  EXPECT_FALSE(VersionSpecifier::parse(">=2")->contains(*PackageVersion::parse("3.0rc1"), false));
}

TEST(ComputeCapability, Parses) {
  struct {
    const char *text, *capability;
  } cases[] = {{"8.6", "8.6"},   {"sm_86", "8.6"},   {"compute_86", "8.6"}, {"86", "8.6"},
               {"12.0", "12.0"}, {"sm_120", "12.0"}, {"103", "10.3"},       {" 7.5\n", "7.5"}};
  for (const auto& c : cases) {
    auto capability = ComputeCapability::parse(c.text);
    ASSERT_TRUE(capability) << c.text;
    EXPECT_EQ(capability->text(), c.capability);
    EXPECT_EQ(ComputeCapability::from_number(capability->number()), *capability);
  }
  for (const char* text :
       {"", "8", "sm_90a", "sm_120f", "8.66", "x", "0.1", "8.", ".6", "1000", "-8.6"}) {
    EXPECT_FALSE(ComputeCapability::parse(text).has_value()) << text;
  }
  EXPECT_LT(ComputeCapability::from_number(90), ComputeCapability::from_number(100));
}

TEST(GpuArch, ParsesAndPrints) {
  for (const char* text : {"sm_50", "sm_90a", "sm_120f", "compute_90", "compute_100a", "lto_75"}) {
    auto arch = GpuArch::parse(text);
    ASSERT_TRUE(arch) << text;
    EXPECT_EQ(arch->text(), text);
  }
  EXPECT_EQ(GpuArch::parse("sm_120f")->capability().text(), "12.0");
  for (const char* text :
       {"", "sm_", "sm_9", "sm_90b", "90", "sm90", "gfx906", "sm_90aa", "sm_-90"}) {
    EXPECT_FALSE(GpuArch::parse(text).has_value()) << text;
  }
}

// torch.cuda.get_arch_list() of the 2.7.0+cu128 wheel.
TEST(GpuArch, Lists) {
  const char* list = "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120";
  EXPECT_EQ(arch_list_text(parse_arch_list(list)), list);
  EXPECT_EQ(parse_arch_list("sm_50 what gfx906 sm_60").size(), 2u);
}

}  // namespace
}  // namespace kernelfit
