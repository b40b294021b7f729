// SPDX-License-Identifier: Apache-2.0
// One case for every rule of docs/compatibility.md that choosing a build applies, with the answer
// worked out from the facts beside it. Whole scenarios are in tests/whatif, random machines in
// tests/solve_property_test.py.
#include "solve/solve.h"

#include <gtest/gtest.h>

#include <set>

#include "message/message.h"
#include "solve/cases_for_tests.h"

namespace kernelfit {
namespace {

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

// torch/jetson.csv: JetPack 5.1.x is for Xavier (7.2) and Orin (8.7).
TEST(Solve, AJetPackOfSeveralBoardsAsksWhich) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = solve(request_of("jetpack=5.1", knowledge), knowledge);
  EXPECT_EQ(answer.verdict, PlanVerdict::ask);
  ASSERT_EQ(answer.questions.size(), 1u);
  EXPECT_EQ(answer.questions[0].key, "solve.ask.jetpack-board");
  EXPECT_EQ(answer.questions[0].values[1].second, "7.2, 8.7");
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

}  // namespace
}  // namespace kernelfit
