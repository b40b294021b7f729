// SPDX-License-Identifier: Apache-2.0
// What was asked for: a version, a build, what stands beside it.
#include "solve/wish.h"

#include <gtest/gtest.h>

#include "solve/cases_for_tests.h"

namespace kernelfit {
namespace {

TEST(SolveWish, Wishes) {
  check({
      {"a wish that is granted", "gpu=7.5 driver=580.95.05 python=3.12 want=2.13.0 build=cu126",
       "install 2.13.0 cu126 pip"},
      {"a local version is a version and a build",
       "gpu=7.5 driver=580.95.05 python=3.12 want=2.13.0+cu126", "install 2.13.0 cu126 pip"},
      {"the build cannot serve the card: the same version from another index",
       "gpu=6.1 driver=580.95.05 python=3.12 want=2.13.0+cu130", "install 2.13.0 cu126 pip"},
      {"the version cannot: the newest that fits",
       "gpu=6.1 driver=580.95.05 python=3.12 want=2.15.0", "install 2.14.1 cu126 pip"},
      {"a driver would grant it", "gpu=8.6 driver=535.183.01 python=3.12 want=2.15.0",
       "update-driver 2.15.0 cu132 pip driver 580.178.04"},
      {"a Python would", "gpu=8.6 driver=580.95.05 python=3.8 want=2.10.0",
       "change-python 2.10.0 cu128 pip python 3.12"},
  });
}

// torch/releases.csv: torchvision 0.21.0 belongs to torch 2.6.0, 0.15.2 to 2.0.1, torchaudio 2.5.1
// to 2.5.1, triton 3.2.0 to 2.6.0; 0.29.1 asks for torch 2.14.0 or newer (docs/knowledge.md).
TEST(SolveWish, APinOfWhatBelongsToTorchBindsIt) {
  check({
      {"0.21.0 is 2.6.0's", "gpu=8.6 driver=580.95.05 python=3.12 pin=torchvision==0.21.0",
       "install 2.6.0 cu124 pip"},
      {"2.5.1's audio", "gpu=8.6 driver=580.95.05 python=3.12 pin=torchaudio==2.5.1",
       "install 2.5.1 cu124 pip"},
      {"its triton is exact", "gpu=8.6 driver=580.95.05 python=3.12 pin=triton==3.2.0",
       "install 2.6.0 cu124 pip"},
      {"of a range the newest", "gpu=8.6 driver=580.95.05 python=3.12 pin=torchvision>=0.20,<0.22",
       "install 2.6.0 cu124 pip"},
      {"its own torch before another it serves",
       "gpu=8.6 driver=580.95.05 python=3.12 pin=torchvision==0.29.1", "install 2.14.1 cu130 pip"},
      {"another that it serves, where that was asked for",
       "gpu=8.6 driver=580.95.05 python=3.12 want=2.15.0 pin=torchvision==0.29.1",
       "install 2.15.0 cu132 pip"},
      {"2.6.0 has no code for 12.0",
       "gpu=12.0 driver=580.95.05 python=3.12 pin=torchvision==0.21.0", "install 2.15.0 cu132 pip"},
      {"the torch that was named stays",
       "gpu=8.6 driver=580.95.05 python=3.12 want=2.6.0 pin=torchvision==0.15.2",
       "install 2.6.0 cu124 pip"},
      {"what is there and was asked for otherwise is changed",
       "gpu=8.6 driver=580.95.05 python=3.12 torch=2.15.0+cu132 torchvision=0.29.2+cu132 "
       "pin=torchvision==0.29.1 want=2.15.0",
       "fix-component 2.15.0 cu132 pip"},
      {"each was released with another torch, and 2.15.0 serves both",
       "gpu=8.6 driver=580.95.05 python=3.12 pin=torchvision==0.29.2 pin=torchaudio==2.11.0",
       "install 2.15.0 cu132 pip"},
      {"2.15.0 has no 3.10, and torchaudio 2.11.1 asks for torch 2.11 or newer",
       "gpu=8.6 driver=580.95.05 python=3.10 pin=torchaudio==2.11.1", "install 2.14.1 cu130 pip"},
  });
}

TEST(SolveWish, APinThatCannotHoldIsAConflict) {
  const Knowledge knowledge = Knowledge::embedded();
  static const struct {
    const char *request, *kinds, *change, *advice;
  } kCases[] = {
      {"gpu=12.0 driver=580.95.05 pin=torchvision==0.21.0", "torchvision gpu", "torchvision",
       "pair"},
      {"gpu=8.6 driver=580.95.05 want=2.6.0 pin=torchvision==0.15.2", "torch torchvision",
       "torchvision", "pair"},
      {"gpu=8.6 driver=580.95.05 pin=torchvision==0.21.0 pin=torchaudio==2.5.1",
       "torchvision torchaudio", "torchvision", "pair"},
      {"gpu=8.6 driver=580.95.05 pin=torchvision==9.9", "torchvision", "torchvision",
       "pair-unknown"},
      {"gpu=8.6 driver=580.95.05 want=2.6.0,==2.5.0", "torch torch", "torch", "torch-alone"},
  };
  for (const auto& c : kCases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    ASSERT_TRUE(answer.conflict) << c.request;
    std::vector<std::string> kinds;
    for (const auto& part : answer.conflict->parts) kinds.push_back(part.kind);
    EXPECT_EQ(join(kinds, " "), c.kinds) << c.request;
    EXPECT_EQ(answer.conflict->change, c.change) << c.request;
    EXPECT_EQ(answer.conflict->advice.key, "solve.conflict.change." + std::string(c.advice));
  }
}

// torch/install_commands.csv names torchvision 0.29.2 on cu130, cu132 and cu134, and torchaudio
// 2.11.1 on no index. PyPI's torchaudio is a CUDA 13 one.
TEST(SolveWish, APairIsOnlyWhatTheIndexHas) {
  const Knowledge knowledge = Knowledge::embedded();
  static const struct {
    const char *request, *choice, *torchvision, *torchaudio;
  } kCases[] = {
      {"gpu=6.1 driver=580.95.05 pin=torchvision==0.29.2", "2.14.1 cu126", "0.29.1+cu126",
       "2.11.0+cu126"},
      {"gpu=6.1 driver=580.95.05 pin=torchvision>=0.29.1", "2.14.1 cu126", "0.29.1+cu126",
       "2.11.0+cu126"},
      {"gpu=6.1 driver=580.95.05 pin=torchaudio==2.11.1", "2.14.1 cu126", "0.29.1+cu126",
       "2.11.0+cu126"},
      {"gpu=8.6 driver=580.95.05 want=2.14.1 pin=torchvision==0.29.2", "2.14.1 cu130",
       "0.29.2+cu130", "2.11.0+cu130"},
      {"gpu=8.6 driver=580.95.05 want=2.14.1 pin=torchaudio==2.11.1", "2.14.1 cu130",
       "0.29.1+cu130", "2.11.1"},
      {"gpu=8.6 driver=580.95.05 want=2.14.1 build=cu126 pin=torchvision==0.29.2", "2.14.1 cu126",
       "0.29.1+cu126", "2.11.0+cu126"},
      {"gpu=5.2 driver=580.95.05 want=1.1.0 pin=torchaudio==2.9.0", "1.1.0 cu90", "0.3.0", ""},
  };
  for (const auto& c : kCases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    ASSERT_TRUE(answer.choice) << c.request;
    EXPECT_EQ(answer.choice->torch + " " + answer.choice->build_name, c.choice) << c.request;
    EXPECT_EQ(answer.choice->torchvision, c.torchvision) << c.request;
    EXPECT_EQ(answer.choice->torchaudio, c.torchaudio) << c.request;
  }
}

// What the conflict says to change is what the choice gave up, and no more.
TEST(SolveWish, TheChoiceKeepsWhatTheConflictLeaves) {
  check({
      {"torchvision goes, torchaudio stays",
       "gpu=8.6 driver=580.95.05 python=3.12 pin=torchaudio==2.9.0 pin=torchvision==0.23.0",
       "install 2.9.0 cu128 pip"},
      {"torchvision 0.29.2 has no +cu126: it goes, torch and build stay",
       "gpu=8.6 driver=580.95.05 python=3.12 want=2.14.1 build=cu126 pin=torchvision==0.29.2",
       "install 2.14.1 cu126 pip"},
      {"clauses that no release meets: which goes is asked",
       "gpu=8.6 driver=580.95.05 python=3.12 want=2.6.0,==2.5.0", "ask"},
  });
}

TEST(SolveWish, ADriverBringsOnlyWhatTheWishAllows) {
  const Knowledge knowledge = Knowledge::embedded();
  const auto caveats = [&](const char* text) {
    return solve(request_of(text, knowledge), knowledge).caveats;
  };
  EXPECT_TRUE(says(caveats("gpu=8.6 driver=550.54.14 python=3.12"), "solve.caveat.newer-driver"));
  EXPECT_FALSE(says(caveats("gpu=8.6 driver=550.54.14 python=3.12 want=2.14.0"),
                    "solve.caveat.newer-driver"));
}

TEST(SolveWish, ThePinnedPairIsTheChoicesOwn) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=8.6 driver=580.95.05 python=3.12 want=2.15.0 pin=torchvision==0.29.1",
                       knowledge),
            knowledge);
  ASSERT_TRUE(answer.choice);
  EXPECT_EQ(answer.choice->torchvision, "0.29.1+cu132");
}

// A build without CUDA runs anywhere: neither a conflict nor a question.
TEST(SolveWish, ACpuBuildThatWasAskedFor) {
  check({
      {"with a card", "gpu=8.6 driver=580.95.05 python=3.12 want=2.13.0+cpu",
       "install 2.13.0 cpu pip"},
      {"without one", "python=3.12 want=2.13.0+cpu", "install 2.13.0 cpu pip"},
      {"any version: that 2.15.0 is on the CPU index is of low confidence",
       "gpu=6.1 python=3.12 glibc=2.36 build=cpu", "install 2.14.1 cpu pip"},
      {"over a CUDA build",
       "gpu=8.6 driver=580.95.05 python=3.12 want=2.13.0+cpu torch=2.13.0+cu130",
       "reinstall 2.13.0 cpu pip"},
      {"it is there", "gpu=8.6 driver=580.95.05 python=3.12 want=2.13.0+cpu torch=2.13.0+cpu",
       "keep 2.13.0 cpu pip"},
      {"3.8 ends with 2.4.1", "python=3.8 want=2.13.0+cpu",
       "change-python 2.13.0 cpu pip python 3.12"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  EXPECT_FALSE(
      solve(request_of("gpu=8.6 python=3.12 want=2.13.0+cpu", knowledge), knowledge).conflict);
}

TEST(SolveWish, WhyAWishForABuildFails) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* request;
    const char* advice;
  } cases[] = {
      {"gpu=8.6 driver=580.95.05 python=3.12 want=2.9.1+cu121", "build-never"},
      {"gpu=8.6 driver=580.95.05 python=3.12 glibc=2.17 want=2.6.0+cu126", "build-unfit"},
      {"gpu=6.1 driver=580.95.05 python=3.12 want=2.13.0+cu130", "build"},
  };
  for (const auto& c : cases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    ASSERT_TRUE(answer.conflict) << c.request;
    EXPECT_EQ(answer.conflict->advice.key, "solve.conflict.change." + std::string(c.advice))
        << c.request;
  }
}

// 2.13.0 has no cu128; another wheel of it runs on R570, and the surer one stands beside it.
TEST(SolveWish, AWishForAWheelIsAnsweredByWheels) {
  check({
      {"2.13.0+cu129 before conda's 2.13.0",
       "gpu=12.0 driver=570.211.01 python=3.12 glibc=2.36 want=2.13.0 build=cu128",
       "install 2.13.0 cu129 pip"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=12.0 driver=570.211.01 python=3.12 want=2.13.0 build=cu128", knowledge),
            knowledge);
  ASSERT_EQ(answer.alternatives.size(), 1U);
  EXPECT_EQ(answer.alternatives[0].torch + "+" + answer.alternatives[0].build_name, "2.12.1+cu129");
  EXPECT_TRUE(says(answer.caveats, "solve.caveat.low"));
}

// libraries/arch.csv: libtorch_cuda_linalg.so of 2.11.0 to 2.14.1, CUDA 13.0, begins at 8.0.
// libraries/torch_pins.csv, from their own metadata: vllm 0.11.0 asks for torch 2.8.0, 0.33.0 for
// 2.14.0, xformers 0.0.32.post2 for 2.8.0.
TEST(SolveWish, WhatAsksForOneTorchBindsIt) {
  const Knowledge knowledge = Knowledge::embedded();
  const auto answer_for = [&](const char* words, std::vector<std::string> also) {
    Request request = request_of(words, knowledge);
    request.also = std::move(also);
    return solve(request, knowledge);
  };
  const char* here = "gpu=8.6 driver=580.95.05 python=3.12";
  EXPECT_EQ(summary(answer_for(here, {"vllm==0.11.0"})), "install 2.8.0 cu128 pip");
  EXPECT_EQ(summary(answer_for(here, {"vllm==0.33.0"})), "install 2.14.0 cu130 pip");
  EXPECT_EQ(summary(answer_for(here, {"xformers==0.0.32.post2"})), "install 2.8.0 cu128 pip");
  EXPECT_EQ(summary(answer_for(here, {"numpy>=2"})), "install 2.15.0 cu132 pip");
  const Answer apart = answer_for(here, {"vllm==0.33.0", "xformers==0.0.32.post2"});
  ASSERT_TRUE(apart.conflict);
  EXPECT_EQ(apart.conflict->change, "package");
  const char* beside =
      "gpu=8.6 driver=580.95.05 python=3.12 torch=2.8.0+cpu vllm=0.11.0 want=2.14.0";
  EXPECT_TRUE(says(answer_for(beside, {}).caveats, "solve.caveat.pin-installed"));
  const char* same = "gpu=8.6 driver=580.95.05 python=3.12 torch=2.8.0+cpu vllm=0.11.0 want=2.8.0";
  EXPECT_FALSE(says(answer_for(same, {}).caveats, "solve.caveat.pin-installed"));
}

// builds.csv has 2.15.0 cpu with low confidence and 2.14.1 cpu surely.
TEST(SolveWish, AnUnsureCpuBuildOnlyWhereItWasAskedFor) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* here = "gpu=8.6 driver=580.95.05 python=3.12 build=cpu";
  EXPECT_EQ(summary(solve(request_of(here, knowledge), knowledge)), "install 2.14.1 cpu pip");
  const Answer asked = solve(request_of(std::string(here) + " want=2.15.0", knowledge), knowledge);
  EXPECT_EQ(summary(asked), "install 2.15.0 cpu pip");
  EXPECT_TRUE(says(asked.caveats, "solve.caveat.low"));
  EXPECT_FALSE(asked.conflict);
}

// torch/releases.csv: "numpy<2" up to 2.2.2.
TEST(SolveWish, ANumpyThatTheTorchWasNotBuiltFor) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const auto& [numpy, apart] : {std::pair("numpy>=2", true),
                                     {"numpy==2.1.0", true},
                                     {"numpy<2", false},
                                     {"numpy==1.24.4", false},
                                     {"numpy", false}}) {
    Request request = request_of("gpu=8.6 driver=580.95.05 python=3.12 want=2.2.0", knowledge);
    request.also = {numpy};
    const Answer answer = solve(request, knowledge);
    EXPECT_EQ(summary(answer), "install 2.2.0 cu121 pip") << numpy;
    EXPECT_EQ(answer.conflict.has_value(), apart) << numpy;
    EXPECT_FALSE(says(answer.caveats, "solve.caveat.also")) << numpy;
  }
}

}  // namespace
}  // namespace kernelfit
