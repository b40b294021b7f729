// SPDX-License-Identifier: Apache-2.0
#include "judge/scanned.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

const Knowledge& knowledge() {
  static const Knowledge loaded = Knowledge::embedded();
  return loaded;
}

CodeRule rule(int major, int minor) {
  return {{major, minor}, false, false, {}};
}

FileScan library(const std::string& archs, std::string_view toolkit, std::string_view isa = {}) {
  FileScan file;
  file.path = "libx.so";
  file.kind = "elf-shared";
  file.cpu_arch = "x86_64";
  if (!toolkit.empty()) file.toolkit = dotted(toolkit);
  for (int i = 0; i < 3; ++i) {
    file.containers.push_back({".nv_fatbin", 0, {}});
    for (const auto& arch : parse_arch_list(archs)) {
      ScannedImage image;
      image.entry.arch = arch;
      image.entry.code_bytes = 100'000;
      if (arch.kind == GpuArch::Kind::ptx) image.entry.ptx_isa = dotted(isa);
      file.containers.back().images.push_back(image);
    }
  }
  return file;
}

Verdict runs_with(const FileScan& file, std::string_view gpu, std::string_view driver) {
  RunQuestion question;
  question.card = identify(gpu_from_text(gpu, knowledge()).value(), knowledge());
  if (driver == "none") {
    question.driver = Fact<DottedVersion>::absent("given");
  } else if (!driver.empty()) {
    question.driver = Fact<DottedVersion>::given(dotted(driver));
  }
  return file_runs(file, question, knowledge()).verdict;
}

// NVIDIA's PTX release table: ISA 9.1 came with CUDA 13.1 and its r590 driver.
TEST(FileRuns, PtxOnAnOlderDriverIsNotCompiled) {
  const FileScan file = library("sm_86 compute_80", "13.1", "9.1");
  EXPECT_EQ(runs_with(file, "A100-PCIE-40GB", ""), Verdict::ptx_jit);
  EXPECT_EQ(runs_with(file, "A100-PCIE-40GB", "580.95.05"), Verdict::driver_too_old);
  EXPECT_EQ(runs_with(file, "A100-PCIE-40GB", "590.48.01"), Verdict::ptx_jit);
  // Its machine code needs only what CUDA 13 needs.
  EXPECT_EQ(runs_with(file, "GeForce RTX 3090", "580.95.05"), Verdict::native);
}

// CUDA 12.x needs 525.60.13 by minor-version compatibility; the last branch of Pascal is 580.
TEST(FileRuns, ByTheDriversBranch) {
  const FileScan file = library("sm_61 sm_86", "12.4");
  EXPECT_EQ(runs_with(file, "GeForce RTX 3090", "470.256.02"), Verdict::driver_too_old);
  EXPECT_EQ(runs_with(file, "GeForce RTX 3090", "535.183.01"), Verdict::native);
  EXPECT_EQ(runs_with(file, "GeForce GTX 1080 Ti", "580.95.05"), Verdict::native);
  EXPECT_EQ(runs_with(file, "GeForce GTX 1080 Ti", "590.48.01"), Verdict::driver_too_new_for_gpu);
  EXPECT_EQ(runs_with(file, "GeForce RTX 5090", "580.95.05"), Verdict::no_code);
  EXPECT_EQ(runs_with(file, "GeForce RTX 3090", "none"), Verdict::no_driver);
}

TEST(FileRuns, NoToolkitNoVerdictOnTheDriver) {
  EXPECT_EQ(runs_with(library("sm_86", ""), "8.6", "535.183.01"), Verdict::unknown);
  EXPECT_EQ(runs_with(library("sm_86", ""), "8.6", ""), Verdict::native);
  EXPECT_EQ(runs_with(library("compute_86", "", "8.4"), "8.6", "535.183.01"),
            Verdict::driver_too_old);
  EXPECT_EQ(runs_with(library("compute_86", "", "8.4"), "8.6", "550.163.01"), Verdict::ptx_jit);
}

TEST(FileRuns, AnotherSystemsLibraryDoesNot) {
  FileScan file = library("sm_86", "12.4");
  RunQuestion question;
  question.card = identify(gpu_from_text("8.6", knowledge()).value(), knowledge());
  question.os = "windows";
  EXPECT_EQ(file_runs(file, question, knowledge()).verdict, Verdict::broken);
  question.os = "wsl";
  EXPECT_EQ(file_runs(file, question, knowledge()).verdict, Verdict::native);
  question.cpu_arch = "aarch64";
  EXPECT_EQ(file_runs(file, question, knowledge()).verdict, Verdict::broken);
  file.kind = "cubin";
  file.cpu_arch = "";
  EXPECT_EQ(file_runs(file, question, knowledge()).verdict, Verdict::native);
}

TEST(ScannedFile, KernelsThatNoImageForTheCardHolds) {
  FileScan file = library("sm_80 sm_90 sm_90a", "12.4");
  file.kernel_names[GpuArch::parse("sm_80").value()] = {"vadd"};
  file.kernel_names[GpuArch::parse("sm_90").value()] = {"vadd", "vsub"};
  file.kernel_names[GpuArch::parse("sm_90a").value()] = {"wgmma"};
  EXPECT_EQ(missing_kernels(file, rule(8, 6)), (std::vector<std::string>{"vsub", "wgmma"}));
  EXPECT_TRUE(missing_kernels(file, rule(9, 0)).size() == 0);
  EXPECT_EQ(missing_kernels(file, rule(12, 0)).size(), 3u);
}

TEST(ScannedFile, BranchOfAPtxIsa) {
  EXPECT_EQ(branch_for_ptx(dotted("8.4"), knowledge()), 550);
  EXPECT_EQ(branch_for_ptx(dotted("9.0"), knowledge()), 580);
  EXPECT_EQ(branch_for_ptx({}, knowledge()), 0);
}

}  // namespace
}  // namespace kernelfit
