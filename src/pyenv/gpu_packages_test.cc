// SPDX-License-Identifier: Apache-2.0
#include "pyenv/gpu_packages.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

const GpuPackages& packages() {
  static const GpuPackages kPackages({{.name = "nvidia-*", .reads = "seen"},
                                      {.name = "pytorch", .pip_name = "torch", .reads = "seen"},
                                      {.name = "nvidia-cudnn-*", .reads = "table"},
                                      {.name = "mmcv-full", .reads = "files", .folder = "mmcv"},
                                      {.name = "flash-attn", .reads = "files"}});
  return kPackages;
}

TEST(GpuPackages, FindsTheNameElseTheLongestBeginning) {
  ASSERT_NE(packages().find("nvidia-cudnn-cu12"), nullptr);
  EXPECT_EQ(packages().find("nvidia-cudnn-cu12")->reads, "table");
  EXPECT_EQ(packages().find("nvidia-nvtx-cu12")->reads, "seen");
  EXPECT_EQ(packages().find("flash-attn")->reads, "files");
  for (const char* name : {"requests", "flash-attn-4", "pytorch-lightning", ""}) {
    EXPECT_EQ(packages().find(name), nullptr) << name;
  }
}

TEST(GpuPackages, TellsNamesFoldersAndLibraries) {
  EXPECT_EQ(packages().pip_name_of("pytorch"), "torch");
  EXPECT_EQ(packages().pip_name_of("requests"), "requests");
  EXPECT_EQ(packages().folder_of("mmcv-full"), "mmcv");
  EXPECT_EQ(packages().folder_of("flash-attn"), "flash_attn");
  EXPECT_TRUE(packages().is_library("flash-attn"));
  EXPECT_FALSE(packages().is_library("nvidia-nvtx-cu12"));
  EXPECT_TRUE(GpuPackages().is_library("torch"));
}

}  // namespace
}  // namespace kernelfit
