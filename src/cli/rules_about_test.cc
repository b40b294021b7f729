// SPDX-License-Identifier: Apache-2.0
#include "cli/rules_about.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kernelfit::cli {
namespace {

std::vector<std::string> about(const char* words) {
  static const Knowledge kKnown = Knowledge::embedded();
  static std::vector<std::string> problems;
  static const std::vector<Rule> kRules = load_rules(kKnown, problems);
  std::vector<std::string> out;
  for (const Rule* rule : rules_about(words, kRules, kKnown)) out.push_back(rule->name);
  return out;
}

bool holds(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Names = std::vector<std::string>;

TEST(RulesAbout, CodeOrNameIsThatRule) {
  EXPECT_EQ(about("KF2001"), Names{"wheel-arch-missing-newer-gpu"});
  EXPECT_EQ(about("kf2001"), Names{"wheel-arch-missing-newer-gpu"});
  EXPECT_EQ(about("cudnn-dropped-gpu"), Names{"cudnn-dropped-gpu"});
}

// What a person copies into a search box.
TEST(RulesAbout, TheWordsOfAnErrorLeadToItsCauses) {
  const auto image = about("no kernel image is available for execution on the device");
  EXPECT_TRUE(holds(image, "wheel-arch-missing-newer-gpu"));
  EXPECT_TRUE(holds(image, "wheel-arch-missing-older-gpu"));
  EXPECT_TRUE(holds(image, "ext-arch-missing"));
  EXPECT_FALSE(holds(image, "insufficient-information"));
  EXPECT_TRUE(holds(about("CUDA driver version is insufficient for CUDA runtime version"),
                    "driver-too-old-for-cuda-build"));
  EXPECT_TRUE(holds(about("AssertionError: Torch not compiled with CUDA enabled"),
                    "cpu-only-torch-build"));
}

TEST(RulesAbout, FewWordsAreLookedForInWhatRulesSay) {
  EXPECT_TRUE(holds(about("secure boot"), "secure-boot-unsigned-module"));
  EXPECT_TRUE(about("nothing anybody would call a fault").empty());
}

}  // namespace
}  // namespace kernelfit::cli
