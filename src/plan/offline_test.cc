// SPDX-License-Identifier: Apache-2.0
#include "plan/offline.h"

#include <gtest/gtest.h>

#include "plan/plan_for_tests.h"

namespace kernelfit {
namespace {

std::vector<CommandBlock> offline(std::string_view words, const std::string& folder,
                                  const PlanOptions& options = {}) {
  const Knowledge knowledge = Knowledge::embedded();
  const Request request = request_of(words, knowledge);
  Plan plan = make_plan(request, solve(request, knowledge), options, knowledge);
  make_offline(plan, request, options, folder, knowledge);
  return plan.commands;
}

// First what to fetch for that machine's Python and system, then the same versions from the folder.
TEST(Offline, WithoutANetwork) {
  const auto blocks =
      offline("gpu=6.1 driver=580.95.05 python=3.12 glibc=2.28", "/media/usb/wheels");
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].lines,
            std::vector<std::string>{
                "python -m pip download --only-binary :all: --dest /media/usb/wheels "
                "--implementation cp --python-version 3.12 --abi cp312 "
                "--platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 "
                "--platform manylinux_2_26_x86_64 --platform manylinux_2_24_x86_64 "
                "--platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 "
                "\"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
                "\"torchaudio==2.11.0+cu126\" --index-url " +
                kIndex + "cu126"});
  const std::string from =
      " --no-index --find-links /media/usb/wheels \"torch==2.14.1+cu126\" "
      "\"torchvision==0.29.1+cu126\" \"torchaudio==2.11.0+cu126\"";
  EXPECT_EQ(blocks[1].lines, std::vector<std::string>{"python -m pip install" + from});
  EXPECT_EQ(blocks[2].lines, std::vector<std::string>{"uv pip install --offline" + from});
}

TEST(Offline, WithoutANetworkOnOtherSystems) {
  const auto windows = offline("gpu=8.6 os=windows driver=551.86 python=3.13t", "D:\\torch wheels");
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_NE(windows[0].lines[0].find("--dest \"D:\\torch wheels\""), std::string::npos);
  EXPECT_NE(windows[0].lines[0].find("--python-version 3.13 --abi cp313t --platform win_amd64 "),
            std::string::npos);
  const auto old = offline("gpu=8.6 driver=525.147.05 python=3.11 glibc=2.17", "wheels");
  ASSERT_EQ(old.size(), 3U);
  EXPECT_EQ(old[0].lines[0].find("manylinux_2_2"), std::string::npos);  // glibc 2.17 has none newer
  EXPECT_NE(old[0].lines[0].find("--platform manylinux_2_17_x86_64"), std::string::npos);
  // another Python: its environment first, then from the folder
  const auto python = offline("gpu=12.0 driver=580.95.05 python=3.8 glibc=2.36", "wheels");
  ASSERT_EQ(python.size(), 3U);
  EXPECT_EQ(python[1].lines.size(), 2U);
  EXPECT_TRUE(python[1].lines[0].starts_with("python3.12 -m venv"));
  // conda has no such form: nothing is better than a command that needs the network
  EXPECT_TRUE(
      offline("gpu=6.1 driver=580.95.05 python=3.12 torch=2.13.0+cuda13.0 conda=conda-forge",
              "wheels")
          .empty());
}

}  // namespace
}  // namespace kernelfit
