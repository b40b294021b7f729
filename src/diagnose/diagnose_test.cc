// SPDX-License-Identifier: Apache-2.0
// What is said of which subject, in which order, and what is left out.
#include "diagnose/diagnose.h"

#include <gtest/gtest.h>

#include "diagnose/machines_for_tests.h"

namespace kernelfit::tests {
namespace {

TEST(Diagnose, SaysACauseOnceForAlikeCards) {
  Machine one = with_torch(machine(kGtx1080Ti), "2.13.0+cu130", "13.0", "cu130");
  one.gpus.push_back(gpu(kGtx1080Ti, 1));
  auto findings = findings_of(one);
  ASSERT_EQ(names_of(findings), "wheel-arch-missing-older-gpu");
  EXPECT_EQ(findings.front().gpus, (std::vector<int>{0, 1}));
}

// A torch whose version.py is empty: PyPI's 2.13.0 is cu130, which has no code for 6.1, so the same
// files again would not run.
TEST(Diagnose, ADamagedTorchIsReplacedByABuildThatServesTheCard) {
  Machine one = with_torch(machine(kGtx1080Ti), "2.13.0", "13.0", "cu130");
  Library& torch = one.environments[0].libraries[0];
  torch.build = Fact<std::string>::unknown("version.py");
  torch.cuda = Fact<DottedVersion>::unknown("version.py");
  torch.problems = {"version.py: there is no __version__"};
  auto findings = findings_of(one);
  ASSERT_EQ(names_of(findings), "package-damaged");
  ASSERT_EQ(findings.front().fixes.size(), 1u);
  const Fix& fix = findings.front().fixes.front();
  EXPECT_EQ(fix.action_target, "torch 2.13.0+cu126");
  EXPECT_TRUE(contains(join(fix.commands, " "), "torch==2.13.0+cu126")) << join(fix.commands, " ");
}

TEST(Diagnose, TheActiveEnvironmentComesFirst) {
  Machine one = machine(kGtx1080Ti);
  one.environments = {environment("2.13.0+cu130", "13.0", "cu130"),
                      environment("2.7.1+cpu", "", "cpu")};
  one.environments[1].path = "/home/user/other";
  one.environments[1].active = false;
  auto findings = findings_of(one);
  EXPECT_EQ(names_of(findings), "wheel-arch-missing-older-gpu cpu-only-torch-build");
  EXPECT_EQ(findings.at(0).subject.environment, 0);
  EXPECT_EQ(findings.at(1).subject.environment, 1);
}

TEST(Diagnose, OneMachineWideCauseIsNotRepeatedPerEnvironment) {
  Machine one = no_driver(kRtx3070);
  one.environments = {environment("2.7.1+cu126", "12.6", "cu126"),
                      environment("2.6.0+cu124", "12.4", "cu124")};
  EXPECT_EQ(names_of(findings_of(one)), "driver-not-loaded");
}

TEST(Diagnose, ADisplayCardThatIsHiddenStaysSilent) {
  Machine one = with_torch(machine(kRtx3090), "2.9.1+cu130", "13.0", "cu130");
  one.gpus.push_back(gpu(kGtx1080Ti, 1));
  EXPECT_EQ(names_of(findings_of(one)), "wheel-arch-missing-older-gpu");
  one.gpus[1].visible = found(false);
  EXPECT_EQ(names_of(findings_of(one)), "");
}

TEST(Diagnose, ChecksCanBeChosen) {
  Machine one = machine(kRtx3070);
  one.gpus[0].compute_mode = found("Exclusive_Process");
  one.system.local_torch = found("/home/user/torch");
  Judgement judgement = judge(one, knowledge());
  std::vector<Plan> plans;
  Situation situation{one, judgement, plans, knowledge()};
  EXPECT_EQ(names_of(diagnose(situation, rules(), {"KF3004"})), "local-dir-shadowing");
  EXPECT_EQ(names_of(diagnose(situation, rules(), {"exclusive-process-mode"})),
            "exclusive-process-mode");
}

// docs/compatibility.md 3: Pascal has only the proprietary kernel module, Blackwell only the open
// one, so no driver serves both on one Linux host.
TEST(Diagnose, NoDriverIsAdvisedWhereNoneServesAllCards) {
  Machine mixed = no_driver(kGtx1080Ti);
  mixed.gpus.push_back(gpu(kRtx5090, -1));
  Machine open_module = machine(kGtx1080Ti, "580.95.05");
  open_module.gpus = {gpu(kGtx1080Ti, -1), gpu(kRtx5090, 0)};
  open_module.driver.flavor = found("open");
  for (const Machine& one : {mixed, open_module}) {
    auto findings = findings_of(one);
    ASSERT_FALSE(findings.empty());
    ASSERT_FALSE(findings.front().fixes.empty());
    for (const auto& fix : findings.front().fixes) {
      EXPECT_EQ(fix.action_kind, "other-hardware") << findings.front().name << " " << fix.id;
      EXPECT_TRUE(fix.commands.empty());
    }
  }
}

// An old card beside one that works: the driver that would serve both is older, and the builds that
// run on the good card may need the newer one. Leaving things as they are comes first.
TEST(Diagnose, AWorkingCardIsNotGivenUpForAnOldOne) {
  Machine one = with_torch(machine(kRtx3090, "580.95.05"), "2.13.0+cu130", "13.0", "cu130");
  one.gpus.push_back(gpu(kK40, -1));
  auto findings = findings_of(one);
  ASSERT_EQ(findings.empty() ? "" : findings.front().name, "driver-branch-dropped-gpu");
  EXPECT_EQ(findings.front().fixes.front().action_kind, "nothing");
}

TEST(Diagnose, WordsStandWhereNoCommandIsRight) {
  Machine one = asked(kRtx3070, "none");
  auto findings = findings_of(one);
  ASSERT_EQ(names_of(findings), "driver-not-loaded");
  ASSERT_EQ(findings.front().fixes.size(), 1u);
  EXPECT_TRUE(findings.front().fixes.front().commands.empty());
  EXPECT_EQ(findings.front().fixes.front().when.key, "diagnose.fix.any-system");
  one.system.os_name = found("NixOS 24.05 (Uakari)");
  findings = findings_of(one);
  ASSERT_EQ(findings.front().fixes.size(), 1u);
  EXPECT_EQ(findings.front().fixes.front().when.key, "plan.when.driver-nixos");
}

// A person without root can only take away what is their own; torchvision of the system stays.
TEST(Diagnose, OnlyWhatLiesInTheUsersFolderIsRemoved) {
  Machine one = with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126");
  Environment& env = one.environments.front();
  Package own = env.packages.front();
  own.version = "1.10.0";
  own.user_site = true;
  own.location = "/home/user/.local/lib/python3.11/site-packages";
  Package vision = env.packages.front();
  vision.name = "torchvision";
  vision.version = "0.22.1+cu126";
  env.packages.insert(env.packages.end(), {own, vision});
  auto findings = findings_of(one);
  ASSERT_EQ(findings.empty() ? "" : findings.front().name, "user-site-shadowing");
  EXPECT_EQ(join(findings.front().fixes.front().commands, "\n"),
            "/home/user/.venv/bin/python -m pip uninstall -y torch");
}

TEST(Diagnose, OneCauseForAllLibrariesNamesTorch) {
  Machine one = with_torch(machine(kRtx3070, "410.48"), "1.3.0", "10.1", "cu101");
  Library cudnn;
  cudnn.name = "cudnn";
  cudnn.version = "7.6.3";
  auto& libraries = one.environments.front().libraries;
  libraries.insert(libraries.begin(), cudnn);
  for (const auto& finding : findings_of(one)) {
    if (finding.name == "driver-too-old-for-cuda-build") {
      EXPECT_EQ(finding.subject.library, "torch");
    }
  }
}

// What only follows from a cause stays unsaid when the cause itself was not asked for.
TEST(Diagnose, ASymptomThatWasAskedForIsNoCause) {
  Machine one = with_torch(no_driver(kGt730Fermi), "2.0.1+cu117", "11.7", "cu117");
  Judgement judgement = judge(one, knowledge());
  std::vector<Plan> plans;
  Situation situation{one, judgement, plans, knowledge()};
  EXPECT_EQ(names_of(diagnose(situation, rules(), {"KF1002"})), "");
  EXPECT_EQ(names_of(diagnose(situation, rules(), {"KF2005"})), "gpu-too-old-for-any-wheel");
}

TEST(Diagnose, TheFixOfAnArchitectureIsThePlansCommand) {
  auto findings = findings_of(with_torch(machine(kGtx1080Ti), "2.13.0+cu130", "13.0", "cu130"));
  ASSERT_FALSE(findings.empty());
  ASSERT_FALSE(findings.front().fixes.empty());
  const Fix& fix = findings.front().fixes.front();
  EXPECT_EQ(fix.action_kind, "install-build");
  ASSERT_FALSE(fix.commands.empty());
  EXPECT_TRUE(contains(join(fix.commands, " "), "cu126")) << join(fix.commands, "\n");
}

}  // namespace
}  // namespace kernelfit::tests
