// SPDX-License-Identifier: Apache-2.0
#include "judge/default_build.h"

#include <gtest/gtest.h>

#include "judge/judge.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnown = Knowledge::embedded();
  return kKnown;
}

Library bare(std::string name, std::string version) {
  Library out;
  out.name = std::move(name);
  out.version = std::move(version);
  return out;
}

Machine machine_with(std::vector<Library> libraries, const char* cpu = "x86_64",
                     const char* os = "linux") {
  Machine machine;
  machine.system.os = Fact<std::string>::known(os, "test");
  machine.system.cpu_arch = Fact<std::string>::known(cpu, "test");
  machine.environments.emplace_back();
  machine.environments[0].libraries = std::move(libraries);
  return machine;
}

// "cu128", "unknown"
std::string build_of(Machine machine, std::string_view library = "torch") {
  name_default_builds(machine, known());
  return machine.environments[0].library(library)->build.value_or("unknown");
}

std::string names(std::string_view package, const char* version, const char* platform) {
  std::string out;
  for (const auto* one :
       untagged_builds(package, *PackageVersion::parse(version), platform, known()))
    out += (out.empty() ? "" : " ") + std::string(one->build);
  return out;
}

// What PyPI holds of each release is in torch/builds.csv, column pypi_default.
TEST(DefaultBuild, IsWhatPyPiHolds) {
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.8.0")})), "cu128");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.5.1")})), "cu124");
  EXPECT_EQ(build_of(machine_with({bare("torch", "1.13.1")})), "cu117");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.14.1")}, "aarch64")), "cu130");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.8.0")}, "aarch64")), "cpu");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.8.0")}, "x86_64", "windows")), "cpu");
}

TEST(DefaultBuild, OfThePairIsThatOfItsOwnTorch) {
  const auto beside = [](const char* torchvision, const char* cpu = "x86_64") {
    Library torch = bare("torch", "2.8.0+cu126");
    torch.build = Fact<std::string>::known("cu126", "test");
    return build_of(machine_with({torch, bare("torchvision", torchvision)}, cpu), "torchvision");
  };
  EXPECT_EQ(beside("0.23.0"), "cu128");               // of 2.8.0
  EXPECT_EQ(beside("0.29.2"), "cu132");               // of 2.15.0
  EXPECT_EQ(beside("0.23.0", "aarch64"), "unknown");  // the CPU build, or an index's without a tag
  const auto from_pypi =
      machine_with({bare("torch", "2.8.0"), bare("torchvision", "0.23.0")}, "aarch64");
  EXPECT_EQ(build_of(from_pypi, "torchvision"), "cpu");
}

TEST(DefaultBuild, StaysOpenWhereSeveralWheelsGoByTheVersion) {
  EXPECT_EQ(names("torch", "2.5.1", "linux-aarch64"), "cpu cu124");
  EXPECT_EQ(names("torch", "1.8.0", "windows-x86_64"), "cpu cu102");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.5.1")}, "aarch64")), "unknown");
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.99.0")})), "unknown");

  Machine machine = machine_with({bare("torch", "2.5.1")}, "aarch64");
  machine.driver.version = Fact<DottedVersion>::known(dotted("580.95.05"), "test");
  machine.gpus.push_back(*gpu_from_text("GH200", known()));
  name_default_builds(machine, known());
  const auto row = judge(machine, known()).verdicts.front();
  EXPECT_EQ(row.verdict, Verdict::unknown);
  EXPECT_EQ(row.reason.key, "judge.reason.which-build");
}

TEST(DefaultBuild, LeavesWhatIsKnownOtherwise) {
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.8.0+cu126")})), "unknown");  // its tag says it
  EXPECT_EQ(build_of(machine_with({bare("torch", "2.9.0.dev20250801")})), "unknown");
  EXPECT_EQ(build_of(machine_with({bare("bitsandbytes", "0.48.0")}), "bitsandbytes"), "unknown");
  Library read = bare("torch", "2.8.0");
  read.cuda = Fact<DottedVersion>::known(dotted("12.6"), "version.py");
  EXPECT_EQ(build_of(machine_with({read})), "unknown");

  Machine conda = machine_with({bare("torch", "2.5.1")});
  conda.environments[0].packages.push_back({});
  conda.environments[0].packages[0].name = "torch";
  conda.environments[0].packages[0].manager = "conda";
  EXPECT_EQ(build_of(conda), "unknown");
  Machine board = machine_with({bare("torch", "2.8.0")}, "aarch64");
  board.system.l4t = Fact<std::string>::known("36.4.0", "test");
  EXPECT_EQ(build_of(board), "unknown");
  Machine pasted = machine_with({bare("torch", "2.5.1")});
  pasted.pasted = true;
  EXPECT_EQ(build_of(pasted), "unknown");
}

}  // namespace
}  // namespace kernelfit
