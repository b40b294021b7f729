// SPDX-License-Identifier: Apache-2.0
// Small machines, built by hand, and the cause that a knowing person would name first.
#include <gtest/gtest.h>

#include "diagnose/cases_for_tests.h"

namespace kernelfit::tests {

namespace {

Machine with_cudnn(const char* name, const char* version) {
  return with(with_torch(machine(kRtx3070), "2.9.1+cu128", "12.8", "cu128"), [&](Machine& m) {
    Package package;
    package.name = name;
    package.version = version;
    m.environments[0].packages.push_back(package);
  });
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"8.9 on a build that ends at 8.6 is native", "",
       [] { return with_torch(machine(kRtx4090, "535.183.01"), "1.13.1+cu117", "11.7", "cu117"); }},
      {"a 3070 with its torch", "",
       [] { return with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126"); }},
      {"a driver and no torch", "", [] { return machine(kRtx3070); }},
      {"1080 Ti and +cu130", "wheel-arch-missing-older-gpu",
       [] { return with_torch(machine(kGtx1080Ti), "2.13.0+cu130", "13.0", "cu130"); }},
      {"1080 Ti and +cu126", "",
       [] { return with_torch(machine(kGtx1080Ti), "2.7.1+cu126", "12.6", "cu126"); }},
      {"5090 and 2.6.0+cu126", "wheel-arch-missing-newer-gpu",
       [] {
         return with(with_torch(machine(kRtx5090, "570.124.04"), "2.6.0+cu126", "12.6", "cu126"),
                     [](Machine& m) { m.driver.flavor = found("open"); });
       }},
      {"cu130 on a 12.8 driver", "driver-too-old-for-cuda-build",
       [] { return with_torch(machine(kRtx3070, "570.86.10"), "2.9.1+cu130", "13.0", "cu130"); }},
      {"cu126 on a 12.2 driver is minor compatibility", "",
       [] { return with_torch(machine(kRtx3070, "535.183.01"), "2.7.1+cu126", "12.6", "cu126"); }},
      {"the CPU build", "cpu-only-torch-build",
       [] { return with_torch(machine(kRtx3070), "2.7.1+cpu", "", "cpu"); }},
      {"no NVIDIA GPU", "no-nvidia-gpu",
       [] {
         return with_torch(with(no_driver(0),
                                [](Machine& m) {
                                  m.other_gpus = {{"Intel", "HD Graphics 4000", "0000:00:02.0"}};
                                }),
                           "2.7.1+cpu", "", "cpu");
       }},
      {"nothing is loaded", "driver-not-loaded", [] { return no_driver(kRtx3070); }},
      {"nothing is loaded under a CUDA torch", "driver-not-loaded",
       [] { return with_torch(no_driver(kRtx3070), "2.7.1+cu126", "12.6", "cu126"); }},
      {"nouveau", "other-kernel-driver-bound",
       [] {
         return with(no_driver(kRtx3070), [](Machine& m) {
           m.gpus[0].bound_driver = found("nouveau");
           m.driver.other_module = found("nouveau");
         });
       }},
      {"nova_core by the kernel log", "other-kernel-driver-bound",
       [] {
         return with(no_driver(kRtx3070), [](Machine& m) {
           m.kernel_events = {
               event("already-bound", "NVRM: GPU 0000:01:00.0 is already bound to NovaCore.",
                     "0000:01:00.0 NovaCore"),
               event("no-devices-probed", "NVRM: No NVIDIA devices probed.")};
         });
       }},
      {"a kernel without a module", "driver-module-not-built-for-kernel",
       [] {
         return with(no_driver(kRtx3070),
                     [](Machine& m) { m.driver.library_version = found(dotted("550.120")); });
       }},
      {"Secure Boot", "secure-boot-unsigned-module",
       [] {
         return with(no_driver(kRtx3070), [](Machine& m) {
           m.system.secure_boot = found(true);
           m.driver.module_on_disk = found(dotted("550.120"));
           m.kernel_events = {
               event("key-rejected", "Loading of module with unavailable key is rejected")};
         });
       }},
      {"open module on Pascal", "open-kernel-module-unsupported",
       [] {
         return with(machine(kTeslaP4, "580.178.04"), [](Machine& m) {
           m.gpus = {gpu(kTeslaP4, -1)};
           m.gpus[0].bound_driver = found("nvidia");
           m.driver.flavor = found("open");
           m.driver.nvml = found("no-devices");
           m.kernel_events = {
               event("open-module-unsupported",
                     "NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:1bb3) installed in this "
                     "system is not supported by open nvidia.ko",
                     ""),
               event("init-failed", "NVRM: RmInitAdapter failed! (0x24:0x72:1603)")};
         });
       }},
      {"595 has dropped the 1050", "driver-branch-dropped-gpu",
       [] {
         return with(machine(kGtx1050, "595.58.03"), [](Machine& m) {
           m.gpus = {gpu(kGtx1050, -1)};
           m.driver.nvml = found("no-devices");
           m.kernel_events = {event("unsupported-gpu", "NVRM: 580.xx Legacy", "legacy 580.xx")};
         });
       }},
      {"550 does not know the 5090", "driver-too-old-for-gpu",
       [] {
         return with(machine(kRtx5090, "550.120"), [](Machine& m) {
           m.gpus = {gpu(kRtx5090, -1)};
           m.driver.nvml = found("no-devices");
         });
       }},
      {"RmInitAdapter on a 5090 under the proprietary module", "gpu-init-failed-bios-bar",
       [] {
         return with(machine(kRtx5090, "580.95.05"), [](Machine& m) {
           m.gpus = {gpu(kRtx5090, -1)};
           m.driver.nvml = found("no-devices");
           m.kernel_events = {event("init-failed",
                                    "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! "
                                    "(0x22:0x56:884)",
                                    "0000:01:00.0 0x22:0x56:884")};
         });
       }},
      {"upgraded and not restarted", "driver-lib-mismatch-reboot",
       [] {
         return with(machine(kRtx3070, "550.120"), [](Machine& m) {
           m.driver.nvml = found("version-mismatch");
           m.driver.library_version = found(dotted("550.144.03"));
           m.driver.module_on_disk = found(dotted("550.144.03"));
         });
       }},
      {"two installations", "driver-lib-mismatch",
       [] {
         return with(machine(kRtx3070, "535.183.01"), [](Machine& m) {
           m.driver.nvml = found("version-mismatch");
           m.driver.library_version = found(dotted("550.54.14"));
         });
       }},
      {"driver libraries in the image", "driver-libs-installed-in-container",
       [] {
         return with(machine(kRtx3070, "550.120"), [](Machine& m) {
           m.system.container = found("docker");
           m.system.container_gpu = found("granted");
           m.driver.nvml = found("version-mismatch");
           m.driver.library_version = found(dotted("535.183.01"));
         });
       }},
      {"a container without the GPU", "container-without-gpu",
       [] {
         return with_torch(with(machine(kRtx3070, "550.120"),
                                [](Machine& m) {
                                  m.gpus = {gpu(kRtx3070, -1)};
                                  m.system.container = found("docker");
                                  m.system.container_gpu = found("none");
                                  m.driver.nvml = found("no-library");
                                  m.driver.library_path = none<std::string>();
                                  m.driver.device_nodes = found(false);
                                  m.driver.uvm_nodes = found(false);
                                }),
                           "2.7.1+cu126", "12.6", "cu126");
       }},
      {"utility only", "container-driver-capabilities",
       [] {
         return with(machine(kRtx3070, "550.120"), [](Machine& m) {
           m.system.container = found("docker");
           m.system.container_gpu = found("granted");
           m.system.driver_capabilities = found("utility");
           m.driver.library_path = none<std::string>();
         });
       }},
      {"a fabric manager that is down", "fabric-manager-not-running",
       [] {
         return with(machine(0x20b0, "535.183.01"),
                     [](Machine& m) { m.driver.fabric_manager = found("stopped"); });
       }},
      {"Xid 79", "hardware-fault",
       [] {
         return with(machine(kRtx3090), [](Machine& m) {
           m.kernel_events = {event("fallen-off-bus",
                                    "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
                                    "0000:01:00", 79)};
         });
       }},
      {"Xid 31 is a program's", "",
       [] {
         return with(machine(kRtx3090), [](Machine& m) {
           m.kernel_events = {
               event("xid", "NVRM: Xid (PCI:0000:01:00): 31, MMU Fault", "0000:01:00", 31)};
         });
       }},
      {"Fermi", "gpu-too-old-for-any-wheel",
       [] { return with_torch(machine(kGt730Fermi, "390.157"), "2.0.1+cu117", "11.7", "cu117"); }},
      {"Fermi without a driver", "gpu-too-old-for-any-wheel",
       [] { return no_driver(kGt730Fermi); }},
      {"the stub", "stub-libcuda-loaded",
       [] {
         return with(machine(kRtx3070), [](Machine& m) {
           m.driver.library_problem = found("stub");
           m.driver.library_path = found("/usr/local/cuda-12.1/lib64/stubs/libcuda.so");
         });
       }},
      {"compat on a GeForce", "forward-compat-unsupported-gpu",
       [] {
         return with(machine(kRtx3090, "525.105.17"), [](Machine& m) {
           m.system.container = found("docker");
           m.system.container_gpu = found("granted");
           m.driver.library_problem = found("compat");
           m.driver.library_path = found("/usr/local/cuda/compat/libcuda.so.1");
           m.driver.library_version = found(dotted("530.30.02"));
           m.driver.nvml = Fact<std::string>();
         });
       }},
      {"CUDA_VISIBLE_DEVICES=7", "cuda-visible-devices-excludes-all",
       [] {
         return with(machine(kRtx3070), [](Machine& m) {
           m.variables.cuda_visible_devices = found("7");
           m.gpus[0].visible = found(false);
         });
       }},
      {"a Slurm job without a GPU", "scheduler-no-gpu-allocated",
       [] { return with(no_driver(0), [](Machine& m) { m.system.slurm_job = found("4711"); }); }},
      {"WSL with a Linux driver inside", "wsl-linux-driver-installed",
       [] {
         return with(no_driver(0), [](Machine& m) {
           m.system.os = found("wsl");
           m.system.wsl_linux_driver = found("nvidia-utils-510");
           m.system.wsl_driver_library = found(true);
           m.driver.nvml = found("blocked");
         });
       }},
      {"WSL without Windows' driver", "wsl-no-driver-visible",
       [] {
         return with(no_driver(0), [](Machine& m) {
           m.system.os = found("wsl");
           m.system.wsl_driver_library = found(false);
         });
       }},
      // libraries/arch.csv, hardware-feature: NVIDIA names 6.0, 5.0 is reported to work
      {"a Kepler in WSL", "os-feature-unsupported",
       [] {
         return with(with_torch(asked(kK40, "475.14"), "1.13.1+cu117", "11.7", "cu117"),
                     [](Machine& m) { m.system.os = found("wsl"); });
       }},
      // torch/builds.csv: 2.9.1+cu128 is built with cuDNN 9.10.2.21
      {"cuDNN 8 under torch 2.9", "cudnn-version-conflict",
       [] { return with_cudnn("nvidia-cudnn-cu12", "8.9.7.29"); }},
      {"the cuDNN of torch 2.9", "", [] { return with_cudnn("nvidia-cudnn-cu12", "9.10.2.21"); }},
      {"cuDNN's C++ front end has numbers of its own", "",
       [] { return with_cudnn("nvidia-cudnn-frontend", "1.14.1"); }},
      {"the cuDNN of another CUDA is another library's", "",
       [] { return with_cudnn("nvidia-cudnn-cu11", "8.7.0.84"); }},
      {"E. Process", "exclusive-process-mode",
       [] {
         return with(machine(kK40, "470.256.02"),
                     [](Machine& m) { m.gpus[0].compute_mode = found("Exclusive_Process"); });
       }},
      {"MIG", "mig-one-instance-per-process",
       [] {
         return with(machine(0x20b0, "535.183.01"), [](Machine& m) {
           m.gpus[0].mig = found(true);
           m.gpus[0].mig_instances = found(std::int64_t{2});
         });
       }},
      {"an unlicensed vGPU", "vgpu-unlicensed",
       [] {
         return with(machine(0x2236, "550.90.07"),
                     [](Machine& m) { m.gpus[0].vgpu_license = found("Unlicensed (Restricted)"); });
       }},
      {"torchvision of another torch", "torch-vision-mismatch",
       [] {
         return with(with_torch(machine(kRtx3070), "2.4.0+cu121", "12.1", "cu121"), [](Machine& m) {
           Library vision;
           vision.name = "torchvision";
           vision.version = "0.20.1+cu124";
           vision.build = found("cu124");
           vision.cuda = found(dotted("12.4"));
           m.environments[0].libraries.push_back(vision);
         });
       }},
      {"two NCCL wheels", "duplicate-nvidia-wheels",
       [] {
         return with(with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126"), [](Machine& m) {
           for (const char* name : {"nvidia-nccl-cu11", "nvidia-nccl-cu12"}) {
             Package package;
             package.name = name;
             package.version = "2.14.3";
             m.environments[0].packages.push_back(package);
           }
         });
       }},
      {"CentOS 7 and a wheel for 2.28", "glibc-too-old",
       [] {
         return with(with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126"),
                     [](Machine& m) { m.system.glibc = found(dotted("2.17")); });
       }},
      {"a torch folder at hand", "local-dir-shadowing",
       [] {
         return with(with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126"),
                     [](Machine& m) { m.system.local_torch = found("/home/user/pytorch/torch"); });
       }},
      {"what the driver lists stays silent without uvm known", "",
       [] {
         return with(machine(kRtx3070), [](Machine& m) { m.driver.uvm_nodes = Fact<bool>(); });
       }},
      {"asked: a card, a driver of CUDA 12, torch of CUDA 13", "driver-too-old-for-cuda-build",
       [] { return with_torch(asked(kRtx3070, "535.100"), "2.15.0+cu132", "13.2", "cu132"); }},
      {"asked: a driver from before the card", "driver-too-old-for-gpu",
       [] { return with_torch(asked(kRtx5090, "470.1"), "2.15.0+cu132", "13.2", "cu132"); }},
      {"asked: a driver that has dropped the card", "driver-branch-dropped-gpu",
       [] { return with_torch(asked(kK40, "580.95.05"), "1.3.0", "10.1", "cu101"); }},
      {"asked: no driver", "driver-not-loaded",
       [] { return with_torch(asked(kRtx3070, "none"), "2.7.1+cu126", "12.6", "cu126"); }},
      {"this machine, asked without its driver", "driver-not-loaded",
       [] {
         return with(with_torch(machine(kRtx3070), "2.7.1+cu126", "12.6", "cu126"), [](Machine& m) {
           m.driver = Driver();
           m.driver.version = Fact<DottedVersion>::absent("given");
         });
       }},
      {"this machine, asked with a driver that has dropped its card", "driver-branch-dropped-gpu",
       [] {
         return with(machine(kGtx1080Ti), [](Machine& m) {
           m.driver = Driver();
           m.driver.version = Fact<DottedVersion>::given(dotted("595.58.03"));
         });
       }},
      {"nothing could be read", "", [] { return Machine(); }},
  };
  return kCases;
}

TEST(Diagnose, NamesTheRootCauseFirst) {
  for (const auto& c : cases()) {
    SCOPED_TRACE(c.what);
    auto findings = findings_of(c.build());
    EXPECT_EQ(findings.empty() ? "" : findings.front().name, c.first) << names_of(findings);
  }
}

// What a person reads has no braces left, in no language, and every fix says something.
TEST(Diagnose, EveryFindingCanBeSaid) {
  for (const auto& c : cases()) {
    for (const auto& finding : findings_of(c.build())) {
      const Rule* rule = find_rule(rules(), finding.code);
      ASSERT_NE(rule, nullptr);
      for (const char* language : {"en", "zh"}) {
        SCOPED_TRACE(std::string(c.what) + ": " + finding.name + " " + language);
        FindingText text = render_finding(finding, *rule, load_catalogue(language));
        EXPECT_FALSE(text.title.empty());
        EXPECT_FALSE(text.why.empty());
        EXPECT_FALSE(finding.evidence.empty());
        EXPECT_FALSE(finding.fixes.empty());
        for (std::size_t i = 0; i < finding.fixes.size(); ++i) {
          EXPECT_FALSE(text.fixes[i].empty()) << finding.fixes[i].id;
          for (const auto& line : finding.fixes[i].commands) {
            EXPECT_FALSE(line.empty());
            EXPECT_EQ(placeholders(line), std::vector<std::string>{}) << line;
          }
        }
        EXPECT_EQ(placeholders(text.title + text.why), std::vector<std::string>{});
      }
    }
  }
}

// The driver's branch has dropped the card, and the wheel has no code for it either: who mends the
// one alone fails again (docs/compatibility.md).
TEST(Diagnose, NamesTheSecondCauseToo) {
  const auto both = [](int device, const char* driver, const char* torch, const char* cuda,
                       const char* build) {
    return names_of(findings_of(with_torch(asked(device, driver), torch, cuda, build)));
  };
  EXPECT_EQ(both(kGtx1080Ti, "590.44.01", "2.7.0+cu128", "12.8", "cu128"),
            "driver-branch-dropped-gpu wheel-arch-missing-older-gpu");
  EXPECT_EQ(both(kK40, "535.183.01", "2.7.0+cu128", "12.8", "cu128"),
            "driver-branch-dropped-gpu wheel-arch-missing-older-gpu");
  EXPECT_EQ(both(kGtx1080Ti, "590.44.01", "2.7.0+cu126", "12.6", "cu126"),
            "driver-branch-dropped-gpu");
}

// A driver that was not given takes no fix away; none is called "this driver".
TEST(Diagnose, WithoutADriverTheBuildIsStillNamed) {
  Machine one = with_torch(asked(kRtx5090, "580.95.05"), "2.6.0+cu126", "12.6", "cu126");
  one.driver = Driver();
  const auto findings = findings_of(one);
  ASSERT_EQ(names_of(findings), "wheel-arch-missing-newer-gpu");
  ASSERT_FALSE(findings[0].fixes.empty());
  EXPECT_EQ(findings[0].fixes[0].id, "plan-other-torch-any-driver");
}

// flash-attn-3 is written for Hopper alone: a build from source for another card is no fix.
TEST(Diagnose, NoBuildFromSourceWhereTheSourceHasNothing) {
  for (const char* name : {"flash-attn-3", "flash-attn-4"}) {
    auto one = with_torch(asked(kRtx4090, "580.95.05"), "2.8.0+cu128", "12.8", "cu128");
    Library library;
    library.name = name;
    library.version = "4.0.0b36";
    one.environments[0].libraries.push_back(library);
    const auto findings = findings_of(one);
    ASSERT_EQ(names_of(findings), "feature-needs-newer-gpu") << name;
    for (const auto& fix : findings[0].fixes) EXPECT_NE(fix.action_kind, "rebuild-component");
  }
}

// flash-attn's setup.py takes a ready wheel unless FLASH_ATTENTION_FORCE_BUILD says not to, names
// the architectures itself, and knows 12.0 in 2.8 (libraries/arch.csv); xformers' asks torch's
// list.
TEST(Diagnose, ABuildForTheCardNamesWhatItsSetupHeeds) {
  auto one = with_torch(asked(kRtx5090, "580.95.05"), "2.7.1+cu128", "12.8", "cu128");
  one.system.os = Fact<std::string>::given("linux");
  Library library;
  library.name = "flash-attn";
  library.version = "2.7.0";
  one.environments[0].libraries.push_back(library);
  const auto findings = findings_of(one);
  ASSERT_EQ(names_of(findings), "ext-arch-missing");
  ASSERT_EQ(findings[0].fixes.size(), 2u);
  ASSERT_EQ(findings[0].fixes[0].commands.size(), 1u);
  const std::string& command = findings[0].fixes[0].commands[0];
  EXPECT_TRUE(command.starts_with("FLASH_ATTENTION_FORCE_BUILD=TRUE FLASH_ATTN_CUDA_ARCHS=120 "))
      << command;
  EXPECT_TRUE(command.ends_with(" flash-attn==2.8.3.post2")) << command;
  EXPECT_EQ(findings[0].fixes[1].id, "sdpa");
}

Machine with_pair(int device, const char* os, const std::string& build, const std::string& torch,
                  const std::string& torchvision) {
  Machine one = asked(device, "580.95.05");
  one.system.os = Fact<std::string>::given(os);
  const std::string cuda = build.substr(2, 2) + "." + build.substr(4);
  one.environments = {environment(torch + "+" + build, cuda.c_str(), build.c_str())};
  Library pair;
  pair.name = "torchvision";
  pair.version = torchvision + "+" + build;
  pair.build = found(build);
  pair.cuda = found(dotted(cuda));
  one.environments[0].libraries.push_back(pair);
  return one;
}

// "torch==2.8.0+cu126" of a command line, quotes taken off.
std::vector<std::string> pinned(const std::vector<std::string>& commands) {
  std::vector<std::string> out;
  for (const auto& line : commands) {
    for (const auto word : split_words(line)) {
      const std::string bare = replace_all(std::string(word), "\"", "");
      if (contains(bare, "==")) out.push_back(bare);
    }
  }
  return out;
}

// A command that installs what is there already is no fix.
TEST(Diagnose, NoFixIsWhatIsInstalled) {
  const std::pair<const char*, const char*> releases[] = {
      {"2.4.1", "0.19.1"}, {"2.7.1", "0.22.1"}, {"2.8.0", "0.23.0"}, {"2.9.1", "0.24.1"}};
  for (const auto& [torch, torchvision] : releases) {
    for (const char* build : {"cu118", "cu124", "cu126", "cu128", "cu130"}) {
      for (const char* os : {"linux", "windows"}) {
        for (int device : {kGtx1080Ti, kRtx5090}) {
          const Machine one = with_pair(device, os, build, torch, torchvision);
          const std::string there[] = {std::string("torch==") + torch + "+" + build,
                                       std::string("torchvision==") + torchvision + "+" + build};
          for (const auto& finding : findings_of(one)) {
            for (const auto& fix : finding.fixes) {
              const auto words = pinned(fix.commands);
              const bool same = std::all_of(words.begin(), words.end(), [&](const auto& word) {
                return word == there[0] || word == there[1] || !word.starts_with("torch");
              });
              EXPECT_TRUE(words.empty() || !same)
                  << finding.name << " " << fix.id << ": " << join(fix.commands, "\n");
            }
          }
        }
      }
    }
  }
}

}  // namespace kernelfit::tests
