// SPDX-License-Identifier: Apache-2.0
// One case for every rule of docs/compatibility.md that choosing a build applies, with the answer
// worked out from the facts beside it. Whole scenarios are in tests/whatif, random machines in
// tests/solve_property_test.py.
#include "solve/solve.h"

#include <gtest/gtest.h>

#include <set>

#include "message/message.h"
#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

struct Case {
  const char* why;  // the rule, and what it gives here
  const char* request;
  const char* answer;
};

void check(const Case* begin, const Case* end) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const Case* c = begin; c != end; ++c)
    EXPECT_EQ(summary(solve(request_of(c->request, knowledge), knowledge)), c->answer)
        << c->why << "\n"
        << c->request;
}
template <std::size_t N>
void check(const Case (&cases)[N]) {
  check(cases, cases + N);
}

TEST(Solve, CodeOfTheSameMajorRuns) {
  check({
      {"8.6 code runs on 8.9; the PyPI default is the release's build",
       "gpu=10de:2684 driver=580.95.05 python=3.12 glibc=2.36", "install 2.15.0 cu132 pip"},
      {"CUDA 13 dropped what is older than 7.5: cu126 of 2.14.1 is the last home",
       "gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36", "install 2.14.1 cu126 pip"},
      {"one build must serve all cards", "gpu=6.1 gpu=8.6 driver=580.95.05 python=3.12 glibc=2.36",
       "install 2.14.1 cu126 pip"},
      {"12.1 runs sm_120 code", "gpu=12.1 cpu=aarch64 driver=580.95.05 python=3.12 glibc=2.36",
       "install 2.15.0 cu132 pip"},
      {"Fermi never had code", "gpu=10de:0f02 driver=390.157 python=3.8 glibc=2.36", "no-build"},
      {"3.0 never had a usable binary", "gpu=GeForce_GTX_660 driver=470.256.02 python=3.8",
       "no-build"},
  });
}

TEST(Solve, DriverFloorsAndCeilings) {
  check({
      {"11.x runs from 450.80.02 on (minor-version compatibility), 12.x does not",
       "gpu=8.0 driver=450.80.02 python=3.12 glibc=2.36", "install 2.7.1 cu118 pip"},
      {"12.x runs from 525.60.13 on, 13.x does not",
       "gpu=9.0 driver=535.309.01 python=3.12 glibc=2.36", "install 2.14.1 cu126 pip"},
      {"Blackwell is known from R570 on", "gpu=12.0 driver=550.163.01 python=3.12 glibc=2.36",
       "update-driver 2.15.0 cu132 pip driver 580.178.04"},
      {"R470 is Kepler's last branch", "gpu=3.7 driver=535.309.01 python=3.10 glibc=2.36",
       "update-driver 2.3.1 cu118 pip driver 470.256.02"},
      {"R580 is Pascal's last branch", "gpu=6.1 driver=590.48.01 python=3.12 glibc=2.36",
       "update-driver 2.14.1 cu126 pip driver 580.178.04"},
      {"no driver: one first", "gpu=8.6 driver=none python=3.12 glibc=2.36",
       "update-driver 2.15.0 cu132 pip driver 580.178.04"},
      {"a driver that is not known is no obstacle", "gpu=8.6 python=3.12 glibc=2.36",
       "install 2.15.0 cu132 pip"},
      {"Windows versions have branches of their own: 551 is R550",
       "gpu=8.6 os=windows driver=551.86 python=3.12", "install 2.14.1 cu126 pip"},
      {"WSL: Linux wheels, the Windows driver",
       "gpu=8.6 os=wsl driver=551.86 python=3.12 glibc=2.36", "install 2.14.1 cu126 pip"},
  });
}

TEST(Solve, CudnnHasToKnowTheCard) {
  check({
      {"Kepler: cuDNN to 8.7, which torch 2.0 to 2.3 +cu118 carry",
       "gpu=3.7 driver=470.256.02 python=3.10 glibc=2.36", "install 2.3.1 cu118 pip"},
      {"no whole build for this Python: the newest with torch code, said as partial",
       "gpu=3.7 driver=470.256.02 python=3.13 glibc=2.36", "install 2.7.1 cu118 pip"},
      {"third-party 1.13.1+cu117 has cuDNN 8.5, conda-forge 2.4.1 is not known to have any",
       "gpu=3.5 driver=470.256.02 python=3.10 glibc=2.36",
       "install 1.13.1 cu117 third-party-nelsonliu"},
      {"nothing whole for 3.12: conda-forge, partial",
       "gpu=3.5 driver=470.256.02 python=3.12 glibc=2.36", "install 2.4.1 cuda11.8 conda-forge"},
  });
}

TEST(Solve, PartialIsSaidWithTheOtherPythonBesideIt) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=3.7 driver=470.256.02 python=3.13 glibc=2.36", knowledge), knowledge);
  EXPECT_EQ(answer.choice->per_gpu.front().runs, Verdict::partial);
  EXPECT_TRUE(says(answer.caveats, "solve.caveat.no-cudnn"));
  ASSERT_FALSE(answer.alternatives.empty());
  EXPECT_EQ(answer.alternatives.front().torch, "2.3.1");
  EXPECT_EQ(answer.alternatives.front().python, dotted("3.12"));
}

TEST(Solve, TheCudaLibrariesHaveToKnowTheCard) {
  check({
      {"PTX of CUDA 10.2 would run on Blackwell, its cuBLAS would not: another Python",
       "gpu=12.0 driver=580.95.05 python=3.8 glibc=2.36",
       "change-python 2.15.0 cu132 pip python 3.12"},
  });
}

TEST(Solve, PythonAndGlibc) {
  check({
      {"3.13t wheels end with 2.12.0", "gpu=8.9 driver=580.95.05 python=3.13t glibc=2.36",
       "install 2.12.0 cu130 pip"},
      {"3.14t is in 2.15.0", "gpu=8.9 driver=580.95.05 python=3.14t glibc=2.36",
       "install 2.15.0 cu132 pip"},
      {"3.9 ends with 2.8.0, whose default is cu128",
       "gpu=8.6 driver=580.95.05 python=3.9 glibc=2.36", "install 2.8.0 cu128 pip"},
      {"glibc 2.17: 2.6.0 is the last, its cu126 already asks for 2.28",
       "gpu=8.6 driver=580.95.05 python=3.11 glibc=2.17", "install 2.6.0 cu124 pip"},
      {"Kepler cannot go up with the driver, so another Python",
       "gpu=3.7 driver=470.256.02 python=3.14 glibc=2.36",
       "change-python 2.3.1 cu118 pip python 3.12"},
      {"both have to change", "gpu=12.0 driver=550.163.01 python=3.8 glibc=2.36",
       "update-driver 2.15.0 cu132 pip driver 580.178.04 python 3.12"},
      {"an old system and a new card", "gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17",
       "no-build"},
  });
}

TEST(Solve, LowConfidenceOnlyWhereNothingSurerFits) {
  const Knowledge knowledge = Knowledge::embedded();
  // 2.13.0+cu129 is a low row, 2.12.1+cu129 a medium one.
  const Answer sure =
      solve(request_of("gpu=12.0 driver=570.211.01 python=3.12 glibc=2.36", knowledge), knowledge);
  EXPECT_EQ(summary(sure), "install 2.12.1 cu129 pip");
  EXPECT_FALSE(says(sure.caveats, "solve.caveat.low"));
  // Windows 3.15: only the unconfirmed 2.15.0 rows.
  const Answer low =
      solve(request_of("gpu=8.6 os=windows driver=581.42 python=3.15", knowledge), knowledge);
  EXPECT_EQ(summary(low), "install 2.15.0 cu132 pip");
  EXPECT_TRUE(says(low.caveats, "solve.caveat.low"));
}

TEST(Solve, CardsThatCannotShareAHost) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer flavors = solve(
      request_of("gpu=6.1 gpu=12.0 driver=580.95.05 python=3.12 glibc=2.36", knowledge), knowledge);
  EXPECT_EQ(summary(flavors), "no-build");
  ASSERT_TRUE(flavors.conflict);
  EXPECT_EQ(flavors.conflict->parts.size(), 3U);  // the two cards, and Linux
  EXPECT_EQ(flavors.conflict->change, "gpu");
  EXPECT_EQ(flavors.alternatives.size(), 2U);  // what each could run without the other
  check({
      {"Windows has no flavours: cu128 of 2.8.0 spans 6.1 to 12.0 there",
       "gpu=6.1 gpu=12.0 os=windows driver=581.42 python=3.12", "install 2.8.0 cu128 pip"},
      {"R450 to R470 know both, and cu118 has both",
       "gpu=3.7 gpu=8.0 driver=470.256.02 python=3.10 glibc=2.36", "install 2.3.1 cu118 pip"},
      {"Kepler ends with R470, Hopper begins with R520",
       "gpu=3.7 gpu=9.0 driver=470.256.02 python=3.10 glibc=2.36", "no-build"},
  });
}

// docs/compatibility.md 3: no driver serves both, whichever is there; 590 drops one of them anyway.
TEST(Solve, OneLinuxHostHasNoDriverForBoth) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* driver : {"570.211.01", "580.95.05", "590.48.01"}) {
    const std::string cards = "gpu=6.1 gpu=12.0 python=3.12 glibc=2.36 driver=";
    const Answer linux_host = solve(request_of(cards + driver, knowledge), knowledge);
    EXPECT_EQ(linux_host.cause.key, "solve.cause.host") << driver;
    ASSERT_TRUE(linux_host.conflict) << driver;
    EXPECT_EQ(linux_host.conflict->parts.back().because.key, "solve.conflict.os-one-module");
    EXPECT_EQ(linux_host.alternatives.size(), 2U) << driver;  // each without the other
  }
}

TEST(Solve, TheSmallestConflict) {
  struct {
    const char* request;
    std::vector<std::string> kinds;
    const char* change;
  } cases[] = {
      {"gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36 want=2.15.*", {"torch", "gpu"}, "torch"},
      {"gpu=3.7 gpu=9.0 driver=470.256.02 python=3.10 glibc=2.36", {"gpu", "gpu"}, "gpu"},
      {"gpu=10de:0f02 driver=390.157 python=3.8", {"gpu"}, "gpu"},
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", {"gpu", "glibc", "os"}, "glibc"},
      {"gpu=6.1 driver=580.95.05 python=3.12 want=2.13.0 build=cu130", {"build", "gpu"}, "build"},
  };
  const Knowledge knowledge = Knowledge::embedded();
  for (const auto& c : cases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    ASSERT_TRUE(answer.conflict) << c.request;
    std::vector<std::string> kinds;
    for (const auto& part : answer.conflict->parts) kinds.push_back(part.kind);
    EXPECT_EQ(kinds, c.kinds) << c.request;
    EXPECT_EQ(answer.conflict->change, c.change) << c.request;
  }
}

TEST(Solve, Wishes) {
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

// PyPI has no CUDA build for Windows, so none is the default there.
TEST(Solve, WindowsTakesWhatTheReleaseOffersThere) {
  check({
      {"2.0.1 offers cu118 alone for Windows; Linux's default, cu117, is only on the index (case "
       "221)",
       "gpu=8.6 os=windows driver=531.79 python=3.10 torch=2.0.1+cpu", "reinstall 2.0.1 cu118 pip"},
      {"1.7.1 offers cu101 and cu110; Linux's default is cu102: the highest CUDA (case 219)",
       "gpu=7.5 os=windows driver=457.51 python=3.7 torch=1.7.1+cpu", "reinstall 1.7.1 cu110 pip"},
      {"cu110 needs 451.22 on Windows",
       "gpu=7.5 os=windows driver=442.59 python=3.7 torch=1.7.1+cpu", "reinstall 1.7.1 cu102 pip"},
      {"2.13.0 offers cu126, cu130 and cu132; cu130 is Linux's default (W38)",
       "gpu=8.6 os=windows driver=581.42 python=3.12 torch=2.13.0+cpu",
       "reinstall 2.13.0 cu130 pip"},
      {"whatever the driver: an unknown one", "gpu=8.6 os=windows python=3.10 want=2.0.1",
       "install 2.0.1 cu118 pip"},
  });
}

// torch/releases.csv: torchvision 0.21.0 belongs to torch 2.6.0, 0.15.2 to 2.0.1, torchaudio 2.5.1
// to 2.5.1, triton 3.2.0 to 2.6.0; 0.29.1 asks for torch 2.14.0 or newer (docs/knowledge.md).
TEST(Solve, APinOfWhatBelongsToTorchBindsIt) {
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

TEST(Solve, APinThatCannotHoldIsAConflict) {
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
TEST(Solve, APairIsOnlyWhatTheIndexHas) {
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
TEST(Solve, TheChoiceKeepsWhatTheConflictLeaves) {
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

TEST(Solve, ADriverBringsOnlyWhatTheWishAllows) {
  const Knowledge knowledge = Knowledge::embedded();
  const auto caveats = [&](const char* text) {
    return solve(request_of(text, knowledge), knowledge).caveats;
  };
  EXPECT_TRUE(says(caveats("gpu=8.6 driver=550.54.14 python=3.12"), "solve.caveat.newer-driver"));
  EXPECT_FALSE(says(caveats("gpu=8.6 driver=550.54.14 python=3.12 want=2.14.0"),
                    "solve.caveat.newer-driver"));
}

TEST(Solve, ThePinnedPairIsTheChoicesOwn) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=8.6 driver=580.95.05 python=3.12 want=2.15.0 pin=torchvision==0.29.1",
                       knowledge),
            knowledge);
  ASSERT_TRUE(answer.choice);
  EXPECT_EQ(answer.choice->torchvision, "0.29.1+cu132");
}

TEST(Solve, WhatWasAskedForAndIsNotThereIsNotKept) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request = request_of("gpu=8.6 driver=580.95.05 python=3.12 torch=2.6.0+cu124", knowledge);
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::keep);
  request.also = {"torchvision"};
  const Answer answer = solve(request, knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::fix_component);
  ASSERT_EQ(answer.components.size(), 1u);
  EXPECT_EQ(answer.components[0].wanted, "0.21.0+cu124");
}

// torch/jetson.csv: JetPack 5.1.x is for Xavier (7.2) and Orin (8.7).
TEST(Solve, AJetPackOfSeveralBoardsAsksWhich) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = solve(request_of("jetpack=5.1", knowledge), knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::ask);
  ASSERT_EQ(answer.questions.size(), 1u);
  EXPECT_EQ(answer.questions[0].key, "solve.ask.jetpack-board");
  EXPECT_EQ(answer.questions[0].values[1].second, "7.2, 8.7");
}

// A build without CUDA runs anywhere: neither a conflict nor a question.
TEST(Solve, ACpuBuildThatWasAskedFor) {
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

TEST(Solve, CondaReplacesItsOwnTorch) {
  check({
      {"the same version of another CUDA (case 097)",
       "gpu=7.5 driver=410.104 python=3.7 torch=1.3.0+cuda10.1 conda=pytorch",
       "reinstall 1.3.0 cuda10.0 conda-pytorch"},
      {"no build of that version for the card: the newest of conda",
       "gpu=12.0 driver=580.95.05 python=3.12 glibc=2.36 torch=2.4.1+cuda12.1 conda=pytorch",
       "reinstall 2.13.0 cuda13.0 conda-forge"},
      {"a pip torch in a conda environment is pip's",
       "gpu=12.0 driver=580.95.05 python=3.12 glibc=2.36 torch=2.4.1+cu121",
       "reinstall 2.15.0 cu132 pip"},
  });
}

// Once another Python is settled, the choice is that of a question with this Python.
TEST(Solve, AnotherPythonChangesNothingElse) {
  check({
      {"R570 serves cu129 of 2.12.1", "gpu=12.0 driver=570.211.01 python=3.12 glibc=2.36",
       "install 2.12.1 cu129 pip"},
      {"and so it does from 3.8", "gpu=12.0 driver=570.211.01 python=3.8 glibc=2.36",
       "change-python 2.12.1 cu129 pip python 3.12"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=7.5 driver=580.95.05 python=3.10 want=2.15.0", knowledge), knowledge);
  EXPECT_TRUE(says(answer.why, "solve.why.python-of-torch"));  // 3.10 has builds to 2.14.1
}

// conda's pytorch channel builds where the release's wheels are built: manylinux2014 is glibc 2.17.
TEST(Solve, NothingOfficialBelowManylinux2014) {
  check({
      {"2.5.1 of the pytorch channel neither", "gpu=7.5 driver=580.95.05 python=3.12 glibc=2.12",
       "no-build"},
      {"and a wheel without a tag promises nothing",
       "gpu=8.6 driver=580.95.05 python=3.8 glibc=2.12", "no-build"},
      {"nor does it on", "gpu=8.6 driver=580.95.05 python=3.8 glibc=1", "no-build"},
      {"2.17 has it", "gpu=7.5 driver=580.95.05 python=3.12 glibc=2.17", "install 2.6.0 cu124 pip"},
  });
}

TEST(Solve, WhyAWishForABuildFails) {
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

// What the first line says: the card is only one of the reasons.
TEST(Solve, TheCauseOfNoBuild) {
  const Knowledge knowledge = Knowledge::embedded();
  const std::pair<const char*, const char*> cases[] = {
      {"gpu=10de:0f02 driver=390.157 python=3.8", "solve.cause.card"},
      // every build with sm_120 is manylinux_2_28 or newer
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", "solve.cause.glibc"},
      // and R535 is from before the card: it takes another driver as well
      {"gpu=12.0 driver=535.183.01 python=3.12 glibc=2.17", "solve.cause.several"},
      {"gpu=8.6 os=windows cpu=aarch64 driver=580.95 python=3.11", "solve.cause.os"},
      {"gpu=10de:1b06 gpu=10de:2b85 driver=580.95.05 python=3.12", "solve.cause.host"},
      {"gpu=K80 gpu=4090 driver=470.256.02 python=3.10", "solve.cause.host"},
      {"gpu=K80 os=wsl driver=475.14 python=3.10", "solve.cause.wsl"},
  };
  for (const auto& [request, cause] : cases) {
    const Answer answer = solve(request_of(request, knowledge), knowledge);
    EXPECT_EQ(text_of(answer.verdict), "no-build") << request;
    EXPECT_EQ(answer.cause.key, cause) << request;
  }
  Request none = request_of("python=3.12", knowledge);
  none.no_gpu = true;
  EXPECT_EQ(solve(none, knowledge).cause.key, "solve.cause.no-gpu");
}

TEST(Solve, ABareBranchIsAtLeastItsFirstRelease) {
  check({
      {"R580 serves CUDA 13 from its first release on", "gpu=8.6 driver=580 python=3.12 glibc=2.36",
       "install 2.15.0 cu132 pip"},
      {"and 525 is a branch on Windows too, where its versions are 526 to 529",
       "gpu=8.6 os=windows driver=525 python=3.12", "install 2.14.1 cu126 pip"},
  });
}

TEST(Solve, PythonTwoEndsWithItsTorchvision) {
  check({
      {"torchvision 0.6.0 has no cp27 file: 1.5.0 is not a whole release for Python 2",
       "gpu=7.5 driver=525.147.05 python=2.7 glibc=2.36", "install 1.4.0 cu101 pip"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=7.5 driver=525.147.05 python=2.7", knowledge), knowledge);
  ASSERT_TRUE(answer.choice);
  EXPECT_EQ(answer.choice->torchvision, "0.5.0");
}

// 2.13.0 has no cu128; another wheel of it runs on R570, and the surer one stands beside it.
TEST(Solve, AWishForAWheelIsAnsweredByWheels) {
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

TEST(Solve, WhatIsInstalled) {
  check({
      {"cudart of one major is one library, and 0.29.1 serves any torch from 2.14.0 on",
       "gpu=8.6 driver=580.95.05 python=3.12 torch=2.15.0+cu132 torchvision=0.29.1+cu130",
       "keep 2.15.0 cu132 pip"},
      {"2.7.0 is the first with cu128: its nightlies are judged by it",
       "gpu=12.0 driver=570.211.01 python=3.12 torch=2.7.0.dev20250310+cu128",
       "keep 2.7.0.dev20250310 cu128 pip"},
      {"2.9.0 began cu130, which R570 does not serve (case 112)",
       "gpu=8.6 driver=570.133.07 python=3.10 torch=2.9.0.dev20250911+cu130",
       "reinstall 2.14.1 cu126 pip"},
      {"it runs",
       "gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126 torchvision=0.24.1+cu126",
       "keep 2.9.1 cu126 pip"},
      {"PyPI's version has no local part: the release's default build",
       "gpu=8.9 driver=580.95.05 python=3.12 torch=2.15.0", "keep 2.15.0 cu132 pip"},
      {"no code, and no build of that version has: the newest",
       "gpu=6.1 driver=580.95.05 python=3.12 torch=2.15.0+cu132", "reinstall 2.14.1 cu126 pip"},
      {"no code, but another build of the version has",
       "gpu=8.6 driver=535.309.01 python=3.9 torch=1.10.1+cu102", "reinstall 1.10.1 cu113 pip"},
      {"without CUDA", "gpu=8.6 os=windows driver=581.42 python=3.12 torch=2.13.0+cpu",
       "reinstall 2.13.0 cu130 pip"},
      {"the driver is too old for it, another build would do",
       "gpu=8.9 driver=550.163.01 python=3.12 torch=2.13.0+cu130", "reinstall 2.13.0 cu126 pip"},
      {"no driver: the installed build stays", "gpu=8.9 driver=none python=3.12 torch=2.9.1+cu126",
       "update-driver 2.9.1 cu126 pip driver 580.178.04"},
      {"torchvision of another release",
       "gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126 torchvision=0.23.0+cu126",
       "fix-component 2.9.1 cu126 pip"},
      {"torchvision without CUDA",
       "gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126 torchvision=0.24.1+cpu",
       "fix-component 2.9.1 cu126 pip"},
      {"PyPI's torchvision 0.29.1 is CUDA 13, beside a torch of CUDA 12 (docs/knowledge.md)",
       "gpu=6.1 driver=580.95.05 python=3.12 torch=2.14.1+cu126 torchvision=0.29.1",
       "fix-component 2.14.1 cu126 pip"},
      {"torchvision 0.29.2 serves any torch from 2.14.0 on (docs/knowledge.md)",
       "gpu=8.9 driver=580.95.05 python=3.12 torch=2.14.1+cu130 torchvision=0.29.2",
       "keep 2.14.1 cu130 pip"},
      {"a nightly is judged by the newest release of its build",
       "gpu=6.1 driver=580.95.05 python=3.12 torch=2.16.0.dev20261101+cu132",
       "reinstall 2.14.1 cu126 pip"},
      {"cuDNN of 2.7.1+cu118 has no Kepler code, that of 2.3.1 has",
       "gpu=3.7 driver=470.256.02 python=3.10 torch=2.7.1+cu118", "reinstall 2.3.1 cu118 pip"},
      {"a wish beside it", "gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126 want=2.12.1",
       "reinstall 2.12.1 cu129 pip"},
  });
}

// torch/builds.csv: 1.13.1+cu117 of pip has sm_37 to sm_86, that of nelsonliu.me sm_35 too.
TEST(Solve, TwoBuildsOfOneVersion) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* kepler = "gpu=3.5 driver=470.256.02 python=3.10 torch=1.13.1+cu117";
  Request request = request_of(kepler, knowledge);
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::reinstall);
  EXPECT_TRUE(says(solve(request, knowledge).caveats, "solve.caveat.which-of-two"));
  request.installed.front().archs = parse_arch_list("sm_35 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86");
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::keep);
  request.installed.front().archs = parse_arch_list("sm_37 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86");
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::reinstall);
  EXPECT_FALSE(says(solve(request, knowledge).caveats, "solve.caveat.which-of-two"));
  EXPECT_EQ(summary(solve(
                request_of("gpu=8.6 driver=470.256.02 python=3.10 torch=1.13.1+cu117", knowledge),
                knowledge)),
            "keep 1.13.1 cu117 pip");
}

// torch/jetson.csv, its row for Windows on Arm: 12.1, CUDA 13.4, Python 3.12+, medium confidence.
TEST(Solve, WindowsOnArm) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=12.1 driver=616.92 os=windows cpu=aarch64 python=3.12", knowledge),
            knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::ask);
  EXPECT_FALSE(answer.choice);
  EXPECT_TRUE(answer.alternatives.empty());
  ASSERT_EQ(answer.questions.size(), 1u);
  EXPECT_EQ(answer.questions.front().key, "solve.ask.windows-arm");
  EXPECT_EQ(answer.questions.front().values.front().second, "13.4");
  EXPECT_EQ(solve(request_of("gpu=8.6 driver=580.95 os=windows cpu=aarch64 python=3.12", knowledge),
                  knowledge)
                .verdict,
            PlanVerdict::no_build);
}

// libraries/arch.csv: flash-attn 2 begins at 8.0, vllm at 7.5 and asks for one torch.
TEST(Solve, WhatStandsBesideTorch) {
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

// Built again for 7.5, flash-attn 2 would still refuse it.
TEST(Solve, WhatCannotServeTheCardIsNotBuiltAgain) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request =
      request_of("gpu=7.5 driver=580.95.05 python=3.12 torch=2.12.1+cu130", knowledge);
  request.installed.push_back({"flash-attn", "2.8.3", parse_arch_list("sm_80 sm_90")});
  const Answer answer = solve(request, knowledge);
  EXPECT_TRUE(answer.components.empty());
  EXPECT_TRUE(says(answer.caveats, "solve.caveat.companion-needs"));
}

TEST(Solve, FilesCountMoreThanTables) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request =
      request_of("gpu=6.1 driver=580.95.05 python=3.12 torch=2.15.0+cu132", knowledge);
  request.installed.front().archs = parse_arch_list("sm_60 sm_80");  // built by its user
  // CUDA 13 needs R580 at least and Pascal's last is R580, but the toolkit compiles nothing for it:
  // code read from the files alone is not enough.
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::reinstall);
  request.installed.front().version = "2.15.0+cu126";
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::keep);
}

TEST(Solve, AComponentWithoutCode) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request =
      request_of("gpu=12.0 driver=580.95.05 python=3.12 torch=2.14.1+cu130", knowledge);
  request.installed.push_back({"flash-attn", "2.8.3", parse_arch_list("sm_80 sm_90")});
  const Answer answer = solve(request, knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::fix_component);
  ASSERT_EQ(answer.components.size(), 1u);
  EXPECT_EQ(answer.components.front().package, "flash-attn");
}

// libraries/arch.csv: libtorch_cuda_linalg.so of 2.11.0 to 2.14.1, CUDA 13.0, begins at 8.0.
// libraries/torch_pins.csv, from their own metadata: vllm 0.11.0 asks for torch 2.8.0, 0.33.0 for
// 2.14.0, xformers 0.0.32.post2 for 2.8.0.
TEST(Solve, WhatAsksForOneTorchBindsIt) {
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

// install_commands.csv: torchaudio 0.9.0 is what belongs to each build of torch 1.9.0.
TEST(Solve, AnUntaggedPairOfItsPageIsRight) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* here =
      "gpu=8.9 driver=560.35.03 python=3.8 torch=1.9.0+cu111 torchvision=0.10.0+cu111 "
      "torchaudio=0.9.0";
  EXPECT_EQ(solve(request_of(here, knowledge), knowledge).verdict, PlanVerdict::keep);
}

// builds.csv: third-party rebuilds are for Kepler; a 4090 has official builds up to 2.15.0.
TEST(Solve, NoThirdPartyBesideNewerOfficialBuilds) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = solve(
      request_of("gpu=8.9 driver=570.124.06 python=3.10 glibc=2.36 torch=1.12.1+cu102", knowledge),
      knowledge);
  for (const Choice& other : answer.alternatives) {
    EXPECT_FALSE(other.channel.starts_with("third-party")) << other.torch;
  }
  EXPECT_FALSE(says(answer.caveats, "solve.caveat.third-party"));
}

// torch/releases.csv: "numpy<2" up to 2.2.2.
TEST(Solve, ANumpyThatTheTorchWasNotBuiltFor) {
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

TEST(Solve, WhatAnInstallWouldSayAKeepSaysToo) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const auto& [request, caveat] :
       {std::pair("gpu=7.5 driver=580.95.05 python=3.12 torch=2.14.1+cu130", true),
        std::pair("gpu=8.6 driver=580.95.05 python=3.12 torch=2.14.1+cu130", false)}) {
    const Answer answer = solve(request_of(request, knowledge), knowledge);
    EXPECT_EQ(answer.verdict, PlanVerdict::keep) << request;
    EXPECT_EQ(says(answer.caveats, "solve.caveat.linalg"), caveat) << request;
  }
}

// torch/cc_ranges.csv: 8.9 runs native code from 1.7.0 cu110 on, by its sm_80.
TEST(Solve, AdaRunsAmpereCode) {
  check({{"sm_80 of CUDA 11.0", "gpu=8.9 driver=580.95.05 python=3.8 torch=1.7.1+cu110",
          "keep 1.7.1 cu110 pip"},
         {"CUDA 10.2 has none", "gpu=8.9 driver=580.95.05 python=3.8 torch=1.7.1+cu102",
          "reinstall 1.7.1 cu110 pip"}});
}

// The GF108 never had code; the GK208 works outside WSL.
TEST(Solve, EachVariantHasItsOwnReason) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      solve(request_of("gpu=GT_730 os=wsl driver=475.14 python=3.8", knowledge), knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::ask);
  ASSERT_EQ(answer.variants.size(), 3u);
  for (const VariantAnswer& variant : answer.variants) {
    const bool never_built_for =
        *variant.card.capability < ComputeCapability{3, 5};  // GF108, GK107
    EXPECT_EQ(variant.answer.cause.key, never_built_for ? "solve.cause.card" : "solve.cause.wsl");
  }
}

// PEP 656: manylinux wheels are for glibc; no torch is published for musl.
TEST(Solve, NothingIsMadeForMusl) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer fresh =
      solve(request_of("gpu=8.6 driver=580.95.05 python=3.12 glibc=musl", knowledge), knowledge);
  EXPECT_EQ(fresh.verdict, PlanVerdict::no_build);
  EXPECT_EQ(fresh.cause.key, "solve.cause.musl");
  ASSERT_TRUE(fresh.conflict);
  EXPECT_EQ(fresh.conflict->change, "glibc");
  EXPECT_EQ(fresh.conflict->advice.key, "solve.conflict.change.musl");
}

// Both chips of an RTX 4000 run the newest build: one answer, and how it runs on each.
TEST(Solve, OneAnswerForAllChipsSpeaksOfEach) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = solve(
      request_of("gpu=RTX_4000 driver=580.95.05 python=3.12 want=2.9.1", knowledge), knowledge);
  ASSERT_TRUE(answer.choice);
  std::set<std::string> cards;
  for (const PerGpu& one : answer.choice->per_gpu) cards.insert(one.gpu);
  EXPECT_TRUE(cards.contains("Quadro RTX 4000"));
  EXPECT_TRUE(cards.contains("RTX 4000 Ada Generation"));
}

// An RTX 3060 that the driver runs beside a GeForce 8400 GS that nouveau holds for the screen.
TEST(Solve, ACardThatTheDriverDoesNotHoldIsNotServed) {
  const Knowledge knowledge = Knowledge::embedded();
  Machine machine;
  machine.driver.version = Fact<DottedVersion>::known(dotted("580.95.05"), "test");
  machine.driver.module_loaded = Fact<bool>::known(true, "test");
  for (const char* name : {"GeForce RTX 3060", "GeForce 8400 GS"}) {
    Gpu gpu;
    gpu.name = Fact<std::string>::known(name, "test");
    gpu.index = machine.gpus.empty() ? 0 : -1;
    gpu.bound_driver =
        Fact<std::string>::known(machine.gpus.empty() ? "nvidia" : "nouveau", "test");
    machine.gpus.push_back(std::move(gpu));
  }
  const auto cards = [&] {
    return request_for(machine, judge(machine, knowledge), -1).cards.size();
  };
  EXPECT_EQ(cards(), 1U);
  machine.gpus[1].bound_driver = Fact<std::string>::absent("test");  // perhaps it should be served
  EXPECT_EQ(cards(), 2U);
}

TEST(Solve, AHiddenCardIsNotServed) {
  const Knowledge knowledge = Knowledge::embedded();
  Machine machine;
  Judgement judgement;
  for (const char* name : {"RTX 3090", "GTX 1060"}) {
    const auto gpu = gpu_from_text(name, knowledge);
    ASSERT_TRUE(gpu) << name;
    machine.gpus.push_back(*gpu);
    judgement.cards.push_back(identify(*gpu, knowledge));
  }
  EXPECT_EQ(request_for(machine, judgement, -1).cards.size(), 2u);
  machine.gpus[1].visible = Fact<bool>::given(false);
  ASSERT_EQ(request_for(machine, judgement, -1).cards.size(), 1u);
  EXPECT_EQ(request_for(machine, judgement, -1).cards[0].label, judgement.cards[0].label);
  machine.gpus[0].visible = Fact<bool>::given(false);  // CUDA_VISIBLE_DEVICES="": all the same
  EXPECT_EQ(request_for(machine, judgement, -1).cards.size(), 2u);
}

TEST(Solve, AnAmbiguousNameIsAsked) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = solve(
      request_of("gpu=GT_730 driver=470.256.02 python=3.10 glibc=2.36", knowledge), knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::ask);
  ASSERT_EQ(answer.variants.size(), 3U);  // GF108 2.1, GK107 3.0, GK208 3.5
  int installs = 0;
  for (const VariantAnswer& variant : answer.variants)
    installs += variant.answer.verdict == PlanVerdict::install;
  EXPECT_EQ(installs, 1);
  EXPECT_FALSE(answer.questions.empty());
}

TEST(Solve, Jetson) {
  check({
      {"JetPack 6.1: NVIDIA's wheel of 24.09", "gpu=8.7 cpu=aarch64 jetpack=6.1 python=3.10",
       "install 2.5.0a0+b465a5843b wheel jetson"},
      {"JetPack 6.2 has containers only", "gpu=8.7 cpu=aarch64 jetpack=6.2 python=3.10",
       "install 2.8.0a0+5228986c39 container jetson"},
      {"Thor is in official wheels", "gpu=11.0 cpu=aarch64 jetpack=7.0 python=3.12 glibc=2.39",
       "install 2.15.0 cu132 pip"},
      {"PyPI's aarch64 torch on Orin", "gpu=8.7 cpu=aarch64 jetpack=6.1 python=3.10 torch=2.1.0",
       "reinstall 2.5.0a0+b465a5843b wheel jetson"},
      {"PyPI's or the community's", "gpu=8.7 cpu=aarch64 jetpack=6.1 python=3.10 torch=2.8.0",
       "ask"},
      {"without a JetPack nothing can be said", "gpu=8.7 cpu=aarch64 python=3.10", "ask"},
  });
}

TEST(Solve, WithoutACard) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request = request_of("python=3.12", knowledge);
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::ask);
  request.no_gpu = true;
  const Answer answer = solve(request, knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::no_build);
  EXPECT_TRUE(answer.cpu_only);
}

// Every sentence that an answer can hold is in every language.
TEST(Solve, SentencesExist) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* requests[] = {
      "gpu=3.5 driver=470.256.02 python=3.12",
      "gpu=12.0 driver=550.163.01 python=3.8",
      "gpu=6.1 gpu=12.0 driver=580.95.05 python=3.12",
      "gpu=3.7 driver=535.309.01 python=3.10",
      "gpu=6.1 driver=580.95.05 python=3.12 want=2.15.0",
      "gpu=8.7 jetpack=6.1 python=3.10",
      "gpu=GT_730 python=3.10",
      "gpu=8.6 driver=none os=wsl",
      "gpu=10de:0f02 driver=390.157",
      "gpu=7.5 driver=580.95.05 python=3.12 torch=2.9.1+cu126 torchvision=0.23.0"};
  for (const std::string& language : languages()) {
    const Catalogue say = load_catalogue(language);
    for (const char* text : requests) {
      const Answer answer = solve(request_of(text, knowledge), knowledge);
      std::vector<Said> all = answer.why;
      for (const auto* more : {&answer.caveats, &answer.avoid, &answer.questions})
        all.insert(all.end(), more->begin(), more->end());
      for (const Choice& choice : answer.alternatives) all.push_back(choice.when);
      for (const Said& said : all) {
        EXPECT_TRUE(say.has(said.key)) << said.key;
        EXPECT_EQ(say(said.key, said.values).find('{'), std::string::npos) << said.key;
      }
    }
  }
}

// torch 2.9 begins with Python 3.10, 2.4.1 is the last for 3.8 (torch/builds.csv).
TEST(Solve, AGivenPythonIsHeldAgainstWhatIsInstalled) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* words = "gpu=RTX_4090 driver=580.95.05 python=3.8 torch=2.9.0+cu128";
  const Answer answer = solve(request_of(words, knowledge), knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::reinstall);
  ASSERT_TRUE(answer.choice);
  EXPECT_EQ(answer.choice->torch, "2.4.1");
  EXPECT_TRUE(says(answer.why, "solve.why.installed-python"));
}

}  // namespace
}  // namespace kernelfit
