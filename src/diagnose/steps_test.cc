// SPDX-License-Identifier: Apache-2.0
// The walk of `doctor --steps`.
#include <gtest/gtest.h>

#include "diagnose/cases_for_tests.h"

namespace kernelfit::tests {
namespace {

TEST(Steps, WalkFromTheSlotToTheEnvironment) {
  Machine one = with_torch(machine(kGtx1080Ti), "2.13.0+cu130", "13.0", "cu130");
  Judgement judgement = judge(one, knowledge());
  std::vector<Plan> plans;
  Situation situation{one, judgement, plans, knowledge()};
  auto walk = steps(situation, diagnose(situation, rules()));
  std::vector<std::string> stages;
  for (const auto& step : walk) {
    if (stages.empty() || stages.back() != step.stage) stages.push_back(step.stage);
  }
  EXPECT_EQ(join(stages, " "), "hardware driver cuda framework environment");
  auto state = [&](std::string_view id) {
    for (const auto& step : walk) {
      if (step.id == id) return std::string(text_of(step.state));
    }
    return std::string("not there");
  };
  EXPECT_EQ(state("hardware.bus"), "passed");
  EXPECT_EQ(state("driver.loaded"), "passed");
  EXPECT_EQ(state("driver.version"), "passed");
  EXPECT_EQ(state("cuda.libcuda"), "passed");
  EXPECT_EQ(state("cuda.answer"), "passed");
  EXPECT_EQ(state("framework.torch"), "failed");
  EXPECT_EQ(state("environment.packages"), "failed");
}

TEST(Steps, StopWhereTheDriverIsMissing) {
  Machine one = no_driver(kRtx3070);
  Judgement judgement = judge(one, knowledge());
  std::vector<Plan> plans;
  Situation situation{one, judgement, plans, knowledge()};
  auto walk = steps(situation, diagnose(situation, rules()));
  for (const auto& step : walk) {
    if (step.id == "driver.loaded") {
      EXPECT_EQ(step.state, Step::State::failed);
    }
    if (step.stage == "cuda") {
      EXPECT_EQ(step.state, Step::State::skipped);
    }
  }
}

TEST(Steps, EveryStepHasWordsInEveryLanguage) {
  for (const auto& c : cases()) {
    Machine one = c.build();
    Judgement judgement = judge(one, knowledge());
    std::vector<Plan> plans;
    Situation situation{one, judgement, plans, knowledge()};
    auto walk = steps(situation, diagnose(situation, rules()));
    for (const char* language : {"en", "zh"}) {
      Catalogue say = load_catalogue(language);
      for (const auto& step : walk) {
        std::string text = say(step.says.key, step.says.values);
        EXPECT_FALSE(text.starts_with('<')) << text;
        EXPECT_EQ(placeholders(text), std::vector<std::string>{}) << text;
      }
    }
  }
}

}  // namespace
}  // namespace kernelfit::tests
