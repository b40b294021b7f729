// SPDX-License-Identifier: Apache-2.0
// What is typed on a Jetson.
#include "plan/plan.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

const std::string kFolder = "https://developer.download.nvidia.com/compute/redist/jp/";

Plan plan_for(std::string_view words, const Knowledge& knowledge) {
  const Request request = request_of(words, knowledge);
  return make_plan(request, solve(request, knowledge), {}, knowledge);
}

struct Case {
  const char* request;
  std::vector<std::string> lines;  // of the first block
};

TEST(JetsonCommands, EachFormHasItsOwn) {
  const Knowledge knowledge = Knowledge::embedded();
  const std::string needs = "filelock typing-extensions sympy networkx jinja2 fsspec ";
  const std::string wheel = "--no-index --no-deps --pre --find-links " + kFolder;
  const std::vector<Case> cases = {
      {"gpu=8.7 jetpack=6.1 python=3.10",
       {"python3 -m pip install " + needs + "\"numpy<2\"",
        "python3 -m pip install " + wheel + "v61/pytorch/ torch"}},
      // pip would call the installed one satisfied
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.1.0",
       {"python3 -m pip uninstall -y torch", "python3 -m pip install " + needs + "\"numpy<2\"",
        "python3 -m pip install " + wheel + "v61/pytorch/ torch"}},
      // the wheel of 23.06 is in the folder of 5.1.2
      {"gpu=8.7 jetpack=5.1.2 python=3.10",
       {"python3.8 -m venv .venv-3.8",
        ".venv-3.8/bin/python -m pip install " + needs + "\"numpy<2\"",
        ".venv-3.8/bin/python -m pip install " + wheel + "v512/pytorch/ torch"}},
      {"gpu=5.3 jetpack=4.6.1 python=3.6",
       {"python3 -m pip install " + needs + "\"numpy<=1.19.4\"",
        "python3 -m pip install " + wheel + "v461/pytorch/ torch"}},
      {"gpu=8.7 jetpack=6.2 python=3.10",
       {"sudo docker run --rm -it --runtime nvidia nvcr.io/nvidia/pytorch:25.06-py3-igpu"}},
  };
  for (const Case& c : cases) {
    const Plan plan = plan_for(c.request, knowledge);
    ASSERT_FALSE(plan.commands.empty()) << c.request;
    EXPECT_EQ(plan.commands.front().lines, c.lines) << c.request;
  }
}

// A plain 2.8.0 is PyPI's CPU build or the community's: the question has the way out beside it.
// torch/jetson_needs.csv: PyTorch's page for JetPack 6.1 lets people look for libcusparseLt; the
// wheels before release 24.06 have no such need.
TEST(JetsonCommands, WhatAWheelNeedsBesideItIsSaid) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan orin = plan_for("gpu=8.7 jetpack=6.1 python=3.10", knowledge);
  ASSERT_TRUE(says(orin.notes, "plan.note.jetson-needs-page"));
  EXPECT_EQ(orin.notes.front().values.front().second, "libcusparseLt");
  EXPECT_TRUE(says(orin.notes, "plan.note.jetson-needs-command"));
  const Plan xavier = plan_for("gpu=7.2 jetpack=5.1.2 python=3.8", knowledge);
  EXPECT_FALSE(says(xavier.notes, "plan.note.jetson-needs-page"));
}

TEST(JetsonCommands, AQuestionHasItsBranch) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=8.7 jetpack=6.1 python=3.10 torch=2.8.0", knowledge);
  EXPECT_EQ(plan.answer.verdict, PlanVerdict::ask);
  EXPECT_TRUE(plan.commands.empty());
  ASSERT_EQ(plan.alternative_commands.size(), 1u);
  ASSERT_FALSE(plan.alternative_commands[0].empty());
  EXPECT_EQ(plan.alternative_commands[0][0].lines.front(), "python3 -m pip uninstall -y torch");
}

TEST(JetsonCommands, AChoiceIsNeverWithoutAnythingToType) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* gpu : {"5.3", "6.2", "7.2", "8.7", "11.0"}) {
    for (const char* jetpack : {"4.5", "4.6.1", "5.0", "5.0.2", "5.1.1", "5.1.3", "6.0", "6.1",
                                "6.2", "6.2.1", "7.0", "7.1", "7.2"}) {
      for (const char* python : {"3.6", "3.8", "3.10", "3.12", "3.13"}) {
        const std::string words =
            std::string("gpu=") + gpu + " jetpack=" + jetpack + " python=" + python;
        const Plan plan = plan_for(words, knowledge);
        if (!plan.answer.choice) continue;
        ASSERT_FALSE(plan.commands.empty()) << words;
        EXPECT_FALSE(plan.commands.front().lines.empty()) << words;
        for (const CommandBlock& block : plan.commands) EXPECT_NE(block.tool, "driver") << words;
      }
    }
  }
}

TEST(JetsonCommands, ACommunityVersionAndItsIndex) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=8.7 jetpack=6.1 python=3.10 want=2.9.1", knowledge);
  ASSERT_EQ(plan.answer.alternatives.size(), plan.alternative_commands.size());
  bool seen = false;
  for (std::size_t i = 0; i < plan.answer.alternatives.size(); ++i) {
    if (plan.answer.alternatives[i].torch != "2.9.1") continue;
    seen = true;
    EXPECT_EQ(plan.alternative_commands[i].front().lines.back(),
              "python3 -m pip install \"torch==2.9.1\" --index-url "
              "https://pypi.jetson-ai-lab.io/jp6/cu126");
  }
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace kernelfit
