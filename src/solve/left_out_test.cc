// SPDX-License-Identifier: Apache-2.0
#include "solve/left_out.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

struct Question {
  Machine machine;
  Request request;
};

Question question(const Knowledge& knowledge, const char* driver,
                  std::initializer_list<const char*> cards) {
  Question out;
  out.request = request_of(std::string("python=3.12 glibc=2.36 driver=") + driver, knowledge);
  for (const char* name : cards) {
    const auto gpu = gpu_from_text(name, knowledge);
    if (!gpu) continue;
    out.machine.gpus.push_back(*gpu);
    out.request.cards.push_back(identify(*gpu, knowledge));
  }
  return out;
}

Answer answer_to(Question question, const Knowledge& knowledge) {
  const Judgement judgement{question.request.cards, {}};
  leave_out_dropped(question.request, question.machine, judgement, knowledge);
  return solve(question.request, knowledge);
}

// cuda/driver_branches.csv: R470 is the last for Kepler, R580 the last for Pascal; torch 2.15.0 is
// the newest for 8.6.
TEST(LeftOut, TorchIsForTheCardsThatTheDriverServes) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* driver;
    std::initializer_list<const char*> cards;
    const char* answer;
  } const cases[] = {
      {"580.95.05", {"10de:1281", "RTX 3090"}, "install 2.15.0 cu132 pip"},
      {"580.95.05", {"GT 710", "RTX 3090"}, "install 2.15.0 cu132 pip"},
      {"590.48.01", {"GTX 1080 Ti", "RTX 3090"}, "install 2.15.0 cu132 pip"},
  };
  for (const auto& c : cases) {
    const Answer answer = answer_to(question(knowledge, c.driver, c.cards), knowledge);
    EXPECT_EQ(summary(answer), c.answer) << *c.cards.begin();
    EXPECT_TRUE(answer.in_part) << *c.cards.begin();
    EXPECT_TRUE(says(answer.caveats, "solve.caveat.left-out")) << *c.cards.begin();
    ASSERT_TRUE(answer.conflict) << *c.cards.begin();
    EXPECT_EQ(answer.conflict->change, "driver") << *c.cards.begin();
  }
}

// The last driver of each branch: 470.256.02 and 580.178.04.
TEST(LeftOut, TheDriverForAllIsTheAlternative) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer kepler =
      answer_to(question(knowledge, "580.95.05", {"10de:1281", "RTX 3090"}), knowledge);
  ASSERT_FALSE(kepler.alternatives.empty());
  EXPECT_EQ(kepler.alternatives.back().when.key, "solve.when.driver-for-all");
  EXPECT_EQ(kepler.alternatives.back().when.values.back().second, "470.256.02");
  EXPECT_EQ(kepler.alternatives.back().build_name, "cuda11.8");
}

TEST(LeftOut, NobodyIsLeftOutInVain) {
  const Knowledge knowledge = Knowledge::embedded();
  Question alone = question(knowledge, "580.95.05", {"10de:1281"});
  EXPECT_EQ(answer_to(alone, knowledge).verdict, PlanVerdict::update_driver);
  // A newer driver serves both: nothing to leave out.
  Question early = question(knowledge, "550.120", {"RTX 3090", "RTX 5090"});
  EXPECT_EQ(answer_to(early, knowledge).verdict, PlanVerdict::update_driver);
  // The driver itself counts the card, whatever the table says.
  Question listed = question(knowledge, "580.95.05", {"10de:1281", "RTX 3090"});
  for (Gpu& gpu : listed.machine.gpus) {
    gpu.given = false;
    gpu.index = 0;
  }
  EXPECT_FALSE(answer_to(listed, knowledge).in_part);
}

// Nobody asked for that driver: it is what is there.
TEST(LeftOut, WhatWasFoundIsNoConflict) {
  const Knowledge knowledge = Knowledge::embedded();
  Question found = question(knowledge, "580.95.05", {"10de:1281", "RTX 3090"});
  found.request.driver = Fact<DottedVersion>::known(dotted("580.95.05"), "test");
  const Answer answer = answer_to(found, knowledge);
  EXPECT_FALSE(answer.conflict);
  EXPECT_TRUE(says(answer.caveats, "solve.caveat.left-out"));
}

}  // namespace
}  // namespace kernelfit
