// SPDX-License-Identifier: Apache-2.0
#include "cli/what_if.h"

#include <gtest/gtest.h>

namespace kernelfit::cli {
namespace {

// A laptop with a card, a driver and an environment.
Machine found() {
  Machine machine;
  machine.system.os = Fact<std::string>::known("linux", "/etc/os-release");
  machine.system.cpu_arch = Fact<std::string>::known("x86_64", "uname");
  machine.system.glibc = Fact<DottedVersion>::known(dotted("2.36"), "ldd");
  machine.driver.version = Fact<DottedVersion>::known(dotted("535.183.01"), "/proc");
  machine.driver.nvml = Fact<std::string>::known("version-mismatch", "NVML");
  machine.kernel_events.push_back({"xid", "NVRM: Xid", 79, ""});
  Gpu gpu;
  gpu.index = 0;
  gpu.name = Fact<std::string>::known("GeForce RTX 3090", "driver (NVML)");
  gpu.bound_driver = Fact<std::string>::known("nouveau", "/sys");
  machine.gpus.push_back(gpu);
  Environment environment;
  environment.path = "/home/ann/.venv";
  environment.active = true;
  environment.python = Fact<DottedVersion>::known(dotted("3.12.3"), "pyvenv.cfg");
  Library torch;
  torch.name = "torch";
  torch.version = "2.13.0+cu130";
  environment.libraries.push_back(torch);
  machine.environments.push_back(environment);
  return machine;
}

Gpu given_gpu() {
  Gpu gpu;
  gpu.given = true;
  gpu.compute_capability = Fact<ComputeCapability>::given({6, 1});
  return gpu;
}

TEST(WhatIf, NothingGivenChangesNothing) {
  Machine machine = apply_what_if(found(), {});
  EXPECT_FALSE(machine.hypothetical);
  EXPECT_TRUE(machine.driver.version.is(dotted("535.183.01")));
  EXPECT_EQ(machine.environments.size(), 1u);
}

// docs/contract.md 1, the what-if flags
TEST(WhatIf, AnotherCardMeansAnotherMachine) {
  WhatIf what_if;
  what_if.gpus = {given_gpu()};
  Machine machine = apply_what_if(found(), what_if);
  EXPECT_TRUE(machine.hypothetical);
  ASSERT_EQ(machine.gpus.size(), 1u);
  EXPECT_TRUE(machine.gpus[0].given);
  EXPECT_TRUE(machine.driver.version.is_unknown());  // not absent
  EXPECT_TRUE(machine.driver.nvml.is_unknown());
  EXPECT_TRUE(machine.system.glibc.is_unknown());
  EXPECT_TRUE(machine.environments.empty());
  EXPECT_TRUE(machine.kernel_events.empty());
  EXPECT_TRUE(machine.system.os.is("linux"));
}

TEST(WhatIf, AnotherPythonKeepsTheCardAlone) {
  WhatIf what_if;
  what_if.python = dotted("3.9");
  Machine machine = apply_what_if(found(), what_if);
  EXPECT_TRUE(machine.hypothetical);
  ASSERT_EQ(machine.gpus.size(), 1u);
  EXPECT_TRUE(machine.gpus[0].name.is("GeForce RTX 3090"));
  EXPECT_TRUE(machine.gpus[0].bound_driver.is_unknown());
  EXPECT_TRUE(machine.driver.version.is_unknown());
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].kind, "given");
  EXPECT_EQ(machine.environments[0].python.state(), FactState::given);
  EXPECT_TRUE(machine.environments[0].libraries.empty());
}

TEST(WhatIf, AGivenDriverReplacesAllThatWasFoundOfIt) {
  WhatIf what_if;
  what_if.driver = dotted("580.95.05");
  Machine machine = apply_what_if(found(), what_if);
  EXPECT_FALSE(machine.hypothetical);
  EXPECT_EQ(machine.driver.version.state(), FactState::given);
  EXPECT_TRUE(machine.driver.nvml.is_unknown());
  EXPECT_TRUE(machine.kernel_events.empty());
  EXPECT_EQ(machine.environments.size(), 1u);
}

TEST(WhatIf, NoDriverIsAbsentNotUnknown) {
  WhatIf what_if;
  what_if.no_driver = true;
  EXPECT_TRUE(apply_what_if(found(), what_if).driver.version.is_absent());
}

TEST(WhatIf, AnInstalledPackageReplacesTheOneThatWasFound) {
  WhatIf what_if;
  Library torch;
  torch.name = "torch";
  torch.version = "2.13.0+cpu";
  what_if.installed = {torch};
  Machine machine = apply_what_if(found(), what_if);
  ASSERT_EQ(machine.environments.size(), 1u);
  const Environment& environment = machine.environments[0];
  ASSERT_EQ(environment.libraries.size(), 1u);
  EXPECT_EQ(environment.libraries[0].version, "2.13.0+cpu");
  EXPECT_EQ(environment.path, "/home/ann/.venv");
  ASSERT_NE(environment.package("torch"), nullptr);
  EXPECT_EQ(environment.package("torch")->version, "2.13.0+cpu");
}

TEST(WhatIf, EnvironmentsGivenByPathStayOnAnotherMachine) {
  WhatIf what_if;
  what_if.gpus = {given_gpu()};
  what_if.environments = {"/home/ann/.venv"};
  EXPECT_EQ(apply_what_if(found(), what_if).environments.size(), 1u);
}

TEST(WhatIf, AnEnvironmentKeepsItsPython) {
  const auto host = real_host();
  WhatIf what_if;
  what_if.environments = {"/"};
  what_if.python = dotted("3.9");
  Machine machine = found();
  machine.environments[0].path = "/";
  machine = apply_what_if(machine, what_if);
  EXPECT_TRUE(machine.environments[0].python.is(dotted("3.12.3")));
  const auto problem = environment_problem(what_if, machine, *host);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->key, "cli.error.env-python");
  what_if.python = dotted("3.12");
  EXPECT_FALSE(environment_problem(what_if, machine, *host));
}

TEST(WhatIf, AJetsonIsLinuxOnArm) {
  WhatIf what_if;
  what_if.gpus = {given_gpu()};
  what_if.jetpack = "6.1";
  what_if.l4t = "36.4";
  what_if.jetpack_cuda = dotted("12.6");
  Machine machine = apply_what_if(found(), what_if);
  EXPECT_TRUE(machine.system.cpu_arch.is("aarch64"));
  EXPECT_TRUE(machine.system.os.is("linux"));
  EXPECT_TRUE(machine.system.l4t.is("36.4"));
  EXPECT_TRUE(machine.driver.cuda_max.is(dotted("12.6")));
}

// -------------------------------------------------------------- reading flags

struct Read {
  std::unique_ptr<Host> host = real_host();
  Knowledge knowledge = Knowledge::embedded();
  ReadWhatIf operator()(const std::vector<std::string>& arguments) {
    auto line = parse_command_line(arguments);
    EXPECT_FALSE(line.problem);
    return read_what_if(line.args, *host, knowledge);
  }
};

TEST(ReadWhatIf, UnderstandsEveryForm) {
  Read read;
  auto out = read({"plan", "--gpu", "8.6", "--gpu", "10de:1287", "--driver", "none", "--python",
                   "3.13t", "--installed", "Torch==2.13.0+cu126", "--glibc", "2.17"});
  ASSERT_FALSE(out.problem);
  EXPECT_EQ(out.what_if.gpus.size(), 2u);
  EXPECT_TRUE(out.what_if.no_driver);
  EXPECT_FALSE(out.what_if.driver);
  EXPECT_EQ(out.what_if.python, dotted("3.13"));
  EXPECT_TRUE(out.what_if.free_threaded);
  ASSERT_EQ(out.what_if.installed.size(), 1u);
  EXPECT_EQ(out.what_if.installed[0].name, "torch");
  EXPECT_TRUE(out.what_if.installed[0].build.is("cu126"));
  EXPECT_TRUE(out.what_if.installed[0].cuda.is(dotted("12.6")));
}

TEST(ReadWhatIf, ACpuBuildHasNoCuda) {
  Read read;
  auto out = read({"plan", "--installed", "torch==2.13.0+cpu"});
  ASSERT_EQ(out.what_if.installed.size(), 1u);
  EXPECT_TRUE(out.what_if.installed[0].build.is("cpu"));
  EXPECT_TRUE(out.what_if.installed[0].cuda.is_absent());
}

TEST(ReadWhatIf, JetPackImpliesL4tCudaAndTheBoardWhereThereIsOne) {
  Read read;
  auto out = read({"plan", "--jetpack", "6.1"});  // torch/jetson.csv: R36.4, CUDA 12.6, Orin alone
  ASSERT_FALSE(out.problem);
  EXPECT_EQ(out.what_if.l4t, "36.4");
  EXPECT_EQ(out.what_if.jetpack_cuda, dotted("12.6"));
  ASSERT_EQ(out.what_if.gpus.size(), 1u);
  EXPECT_TRUE(out.what_if.gpus[0].compute_capability.is({8, 7}));
  auto both = read({"plan", "--jetpack", "5.1"});  // Xavier and Orin
  ASSERT_FALSE(both.problem);
  EXPECT_TRUE(both.what_if.gpus.empty());
  EXPECT_EQ(both.what_if.jetpack_boards, "7.2, 8.7");
}

TEST(ReadWhatIf, OnlyAJetPackThatIsKnown) {
  Read read;
  for (const char* version : {"5.9", "7.2", "7.9", "8.0", "6.2.9", "6", "9"})
    EXPECT_TRUE(read({"plan", "--jetpack", version}).problem) << version;
  for (const char* version : {"4.6.1", "5.1.3", "6.0", "6.2.1", "7.0", "7.1"})
    EXPECT_FALSE(read({"plan", "--jetpack", version}).problem) << version;
}

// Tegra, Grace and GB10 carry their Arm CPU; what --cpu-arch says still counts.
TEST(ReadWhatIf, AChipWithItsOwnCpuSaysWhichBuilds) {
  Read read;
  for (const char* name : {"Jetson AGX Thor", "Orin", "8.7", "GB10", "DGX Spark", "12.1",
                           "GH200 480GB", "GB200", "GB300"}) {
    ReadWhatIf out = read({"plan", "--gpu", name});
    ASSERT_FALSE(out.problem) << name;
    EXPECT_EQ(out.what_if.cpu_arch, "aarch64") << name;
    EXPECT_FALSE(out.what_if.arm_card.empty()) << name;
  }
  for (const char* name : {"H100 PCIe", "B200", "GeForce RTX 5090", "9.0", "10.0", "12.0"}) {
    ReadWhatIf out = read({"plan", "--gpu", name});
    ASSERT_FALSE(out.problem) << name;
    EXPECT_EQ(out.what_if.cpu_arch, "") << name;
  }
  EXPECT_EQ(read({"plan", "--gpu", "GB10", "--cpu-arch", "x86_64"}).what_if.cpu_arch, "x86_64");
}

TEST(ReadWhatIf, TheSameCardIsAskedForOnce) {
  Read read;
  std::vector<std::string> arguments = {"plan"};
  for (int i = 0; i < 2000; ++i) {
    for (const char* word : {"--gpu", "8.6", "--gpu", "Tesla T4"}) arguments.emplace_back(word);
  }
  auto out = read(arguments);
  ASSERT_EQ(out.what_if.gpus.size(), 2u);
  EXPECT_EQ(out.what_if.gpus[1].index, 1);
}

TEST(ReadWhatIf, ABranchIsWrittenWithOrWithoutItsR) {
  Read read;
  for (const char* text : {"580", "R580", "r580"}) {
    EXPECT_EQ(read({"plan", "--driver", text}).what_if.driver, dotted("580")) << text;
  }
}

// Windows writes 581.29 as 32.0.15.8129 (nvidia/windows_text.h).
TEST(ReadWhatIf, WindowsOwnNumberOfADriverIsUnderstood) {
  Read read;
  EXPECT_EQ(read({"plan", "--driver", "32.0.15.8129"}).what_if.driver, dotted("581.29"));
  EXPECT_EQ(read({"plan", "--driver", "31.0.15.2686"}).what_if.driver, dotted("526.86"));
}

// What Docker, Windows and macOS call them.
TEST(ReadWhatIf, ProcessorsGoByOtherNamesToo) {
  Read read;
  EXPECT_EQ(read({"plan", "--cpu-arch", "arm64"}).what_if.cpu_arch, "aarch64");
  EXPECT_EQ(read({"plan", "--cpu-arch", "AMD64"}).what_if.cpu_arch, "x86_64");
}

// docs/contract.md 1: an ambiguous name gets all its variants.
TEST(ReadWhatIf, ANameOfSeveralProductsIsNoMistake) {
  Read read;
  for (const char* name : {"RTX 6000", "RTX 4000", "Titan X"})
    EXPECT_FALSE(read({"plan", "--gpu", name}).problem) << name;
}

TEST(ReadWhatIf, ABoardOfTheJetPackContradictsNothing) {
  Read read;
  for (const char* gpu : {"8.7", "Jetson AGX Orin"}) {
    EXPECT_FALSE(read({"plan", "--jetpack", "6.1", "--gpu", gpu}).problem) << gpu;
  }
  EXPECT_FALSE(read({"plan", "--os", "wsl", "--glibc", "2.28"}).problem);
}

TEST(ReadWhatIf, WrongValuesAreUsageErrors) {
  Read read;
  static const struct {
    std::vector<std::string> arguments;
    const char* problem;
  } kCases[] = {
      {{"plan", "--gpu", "RTX 9999"}, "cli.error.gpu"},
      {{"plan", "--driver", "new"}, "cli.error.driver"},
      {{"plan", "--driver", "R"}, "cli.error.driver"},
      {{"plan", "--driver", "12.4"}, "cli.error.driver"},  // nvidia-smi's CUDA Version
      {{"plan", "--driver", "0"}, "cli.error.driver"},
      {{"plan", "--driver", "5351830"}, "cli.error.driver"},
      {{"plan", "--gpu", "RTX"}, "cli.error.gpu"},  // all of them
      {{"plan", "--jetpack", "6.1", "--os", "windows"}, "cli.error.contradict"},
      {{"plan", "--jetpack", "6.1", "--gpu", "8.6"}, "cli.error.contradict"},
      {{"plan", "--jetpack", "6.1", "--gpu", "GeForce RTX 3090"}, "cli.error.contradict"},
      {{"plan", "--jetpack", "6.1", "--cpu-arch", "x86_64"}, "cli.error.contradict"},
      {{"plan", "--os", "windows", "--glibc", "2.28"}, "cli.error.contradict"},
      {{"plan", "--python", "3"}, "cli.error.python"},
      {{"plan", "--python", "three"}, "cli.error.python"},
      {{"plan", "--installed", "torch"}, "cli.error.installed"},
      {{"plan", "--installed", "==2.0"}, "cli.error.installed"},
      {{"plan", "--jetpack", "nano"}, "cli.error.jetpack"},
      {{"plan", "--glibc", "musl"}, "cli.error.version"},
  };
  for (const auto& c : kCases) {
    auto out = read(c.arguments);
    ASSERT_TRUE(out.problem) << c.arguments[2];
    EXPECT_EQ(out.problem->key, c.problem) << c.arguments[2];
  }
}

}  // namespace
}  // namespace kernelfit::cli
