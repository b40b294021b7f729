// SPDX-License-Identifier: Apache-2.0
#include "solve/companions.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

Answer answer_for(const char* words, const char* also, const Knowledge& knowledge) {
  Request request = request_of(words, knowledge);
  request.also = {also};
  return solve(request, knowledge);
}

// libraries/arch.csv: flash-attn 2.0 to 2.7.4 has sm_80 and sm_90, 2.8.x of CUDA 12.8 and later up
// to sm_120; flash-attn 1 ends with 9.0. torch 2.0.1 has CUDA 11.7 and 11.8 alone: 2.7.4 is the
// newest for them.
TEST(Companions, TheUpperEndOfARowCounts) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* gpu;
    const char* also;
    const char* caveat;
    bool conflict;
  } const cases[] = {
      {"gpu=12.0", "flash-attn==2.7.0", "solve.caveat.companion-ends", true},
      {"gpu=12.0", "flash-attn<2.8", "solve.caveat.companion-ends", true},
      {"gpu=10.0", "flash-attn==1.0.9", "solve.caveat.companion-ends", true},
      {"gpu=12.0", "flash-attn", "solve.caveat.companion-fits", false},
      {"gpu=12.0", "flash-attn>=2.8", "solve.caveat.companion-fits", false},
      {"gpu=8.9", "flash-attn==2.7.0", "solve.caveat.companion-fits", false},
      {"gpu=7.5", "flash-attn", "solve.caveat.companion-needs", true},
      {"gpu=7.5 want=2.0.1", "flash-attn", "solve.caveat.companion-needs", true},
      {"gpu=12.0", "bitsandbytes", "solve.caveat.companion-fits", false},
  };
  for (const auto& c : cases) {
    const std::string words = std::string(c.gpu) + " driver=580.95.05 python=3.12";
    const Answer answer = answer_for(words.c_str(), c.also, knowledge);
    EXPECT_TRUE(says(answer.caveats, c.caveat)) << c.gpu << " " << c.also;
    EXPECT_EQ(answer.in_part, c.conflict) << c.gpu << " " << c.also;
    ASSERT_EQ(answer.conflict.has_value(), c.conflict) << c.gpu << " " << c.also;
    if (!c.conflict) continue;
    EXPECT_EQ(answer.conflict->change, "package") << c.gpu << " " << c.also;
  }
}

TEST(Companions, AReleaseThatServesIsNamed) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* words = "gpu=12.0 driver=580.95.05 python=3.12";
  const Answer blackwell = answer_for(words, "flash-attn==2.7.0", knowledge);
  ASSERT_TRUE(blackwell.conflict);
  EXPECT_EQ(blackwell.conflict->advice.key, "solve.conflict.change.companion-newer");
  EXPECT_EQ(blackwell.conflict->advice.values.back().second, "2.8.3.post2");
}

// libraries/arch.csv: flash-attn 2 begins at 8.0, vllm at 7.5 and asks for one torch.
TEST(Companions, WhatStandsBesideTorch) {
  const Knowledge knowledge = Knowledge::embedded();
  const auto caveats = [&](const char* words, std::vector<std::string> also) {
    Request request = request_of(words, knowledge);
    request.also = std::move(also);
    return solve(request, knowledge).caveats;
  };
  const char* turing = "gpu=7.5 driver=580.95.05 python=3.12";
  const char* ampere = "gpu=8.6 driver=580.95.05 python=3.12";
  EXPECT_TRUE(says(caveats(turing, {"flash-attn"}), "solve.caveat.companion-needs"));
  EXPECT_TRUE(says(caveats(turing, {"flash_attn==2.7.4"}), "solve.caveat.companion-needs"));
  EXPECT_FALSE(says(caveats(ampere, {"flash-attn"}), "solve.caveat.companion-needs"));
  EXPECT_TRUE(says(caveats(ampere, {"flash-attn"}), "solve.caveat.companion-fits"));
  EXPECT_TRUE(says(caveats(turing, {"vllm"}), "solve.caveat.pin-asked-none"));
  EXPECT_FALSE(says(caveats(turing, {"scipy"}), "solve.caveat.pin-asked-none"));
  EXPECT_TRUE(says(caveats(turing, {"scipy"}), "solve.caveat.also"));
  const char* installed =
      "gpu=7.5 driver=580.95.05 python=3.12 torch=2.12.1+cu130 flash-attn=2.8.3";
  EXPECT_TRUE(says(caveats(installed, {}), "solve.caveat.companion-needs"));
}

}  // namespace
}  // namespace kernelfit
