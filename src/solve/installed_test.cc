// SPDX-License-Identifier: Apache-2.0
// What is there already: kept, replaced, or mended beside torch.
#include "solve/installed.h"

#include <gtest/gtest.h>

#include "solve/cases_for_tests.h"

namespace kernelfit {
namespace {

TEST(SolveInstalled, WhatWasAskedForAndIsNotThereIsNotKept) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request = request_of("gpu=8.6 driver=580.95.05 python=3.12 torch=2.6.0+cu124", knowledge);
  EXPECT_EQ(solve(request, knowledge).verdict, PlanVerdict::keep);
  request.also = {"torchvision"};
  const Answer answer = solve(request, knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::fix_component);
  ASSERT_EQ(answer.components.size(), 1u);
  EXPECT_EQ(answer.components[0].wanted, "0.21.0+cu124");
}

TEST(SolveInstalled, CondaReplacesItsOwnTorch) {
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

TEST(SolveInstalled, WhatIsInstalled) {
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
TEST(SolveInstalled, TwoBuildsOfOneVersion) {
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

// Built again for 7.5, flash-attn 2 would still refuse it.
TEST(SolveInstalled, WhatCannotServeTheCardIsNotBuiltAgain) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request =
      request_of("gpu=7.5 driver=580.95.05 python=3.12 torch=2.12.1+cu130", knowledge);
  request.installed.push_back({"flash-attn", "2.8.3", parse_arch_list("sm_80 sm_90")});
  const Answer answer = solve(request, knowledge);
  EXPECT_TRUE(answer.components.empty());
  EXPECT_TRUE(says(answer.caveats, "solve.caveat.companion-needs"));
}

TEST(SolveInstalled, FilesCountMoreThanTables) {
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

TEST(SolveInstalled, AComponentWithoutCode) {
  const Knowledge knowledge = Knowledge::embedded();
  Request request =
      request_of("gpu=12.0 driver=580.95.05 python=3.12 torch=2.14.1+cu130", knowledge);
  request.installed.push_back({"flash-attn", "2.8.3", parse_arch_list("sm_80 sm_90")});
  const Answer answer = solve(request, knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::fix_component);
  ASSERT_EQ(answer.components.size(), 1u);
  EXPECT_EQ(answer.components.front().package, "flash-attn");
}

// install_commands.csv: torchaudio 0.9.0 is what belongs to each build of torch 1.9.0.
TEST(SolveInstalled, AnUntaggedPairOfItsPageIsRight) {
  const Knowledge knowledge = Knowledge::embedded();
  const char* here =
      "gpu=8.9 driver=560.35.03 python=3.8 torch=1.9.0+cu111 torchvision=0.10.0+cu111 "
      "torchaudio=0.9.0";
  EXPECT_EQ(solve(request_of(here, knowledge), knowledge).verdict, PlanVerdict::keep);
}

TEST(SolveInstalled, WhatAnInstallWouldSayAKeepSaysToo) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const auto& [request, caveat] :
       {std::pair("gpu=7.5 driver=580.95.05 python=3.12 torch=2.14.1+cu130", true),
        std::pair("gpu=8.6 driver=580.95.05 python=3.12 torch=2.14.1+cu130", false)}) {
    const Answer answer = solve(request_of(request, knowledge), knowledge);
    EXPECT_EQ(answer.verdict, PlanVerdict::keep) << request;
    EXPECT_EQ(says(answer.caveats, "solve.caveat.linalg"), caveat) << request;
  }
}

// torch 2.9 begins with Python 3.10, 2.4.1 is the last for 3.8 (torch/builds.csv).
TEST(SolveInstalled, AGivenPythonIsHeldAgainstWhatIsInstalled) {
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
