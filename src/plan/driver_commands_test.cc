// SPDX-License-Identifier: Apache-2.0
// The way to a driver, by distribution and flavour of the kernel module.
#include "plan/plan.h"

#include <gtest/gtest.h>

#include "plan/plan_for_tests.h"

namespace kernelfit {
namespace {

// Neither would drive both; on Windows there are no flavours.
TEST(DriverCommands, NoDriverCommandsForCardsThatCannotShareAHost) {
  const Knowledge knowledge = Knowledge::embedded();
  const DottedVersion driver = dotted("580.178.04");
  for (const char* words :
       {"gpu=10de:1b06 gpu=10de:2b85", "gpu=V100 gpu=B200", "gpu=K80 gpu=4090", "gpu=K80 os=wsl"})
    EXPECT_TRUE(driver_commands(request_of(words, knowledge), driver, knowledge).empty()) << words;
  for (const char* words : {"gpu=10de:1b06", "gpu=10de:1b06 gpu=10de:2b85 os=windows"})
    EXPECT_FALSE(driver_commands(request_of(words, knowledge), driver, knowledge).empty()) << words;
}

TEST(DriverCommands, DriversByDistributionAndFlavor) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* cards;
    const char* system;
    const char* driver;
    const char* line;  // found among the lines
  } cases[] = {
      {"gpu=3.7", "Ubuntu 22.04", "470.256.02", "sudo apt-get install nvidia-driver-470"},
      {"gpu=6.1", "Ubuntu 24.04", "580.178.04", "sudo apt-get install nvidia-driver-580"},
      {"gpu=12.0", "Ubuntu 24.04", "580.178.04", "sudo apt-get install nvidia-driver-580-open"},
      {"gpu=3.7", "Debian GNU/Linux 12 (bookworm)", "470.256.02",
       "sudo apt-get install linux-headers-amd64 nvidia-tesla-470-driver"},
      {"gpu=3.7", "Debian GNU/Linux 12 (bookworm)", "470.256.02",
       "sudo add-apt-repository --component contrib --component non-free"},
      {"gpu=6.1", "Fedora Linux 43", "580.178.04",
       "sudo dnf install akmod-nvidia-580xx xorg-x11-drv-nvidia-580xx-cuda"},
      {"gpu=12.0", "Rocky Linux 9.6 (Blue Onyx)", "580.178.04",
       "sudo sh NVIDIA-Linux-x86_64-580.178.04.run -M open"},
      {"gpu=6.1", "Debian GNU/Linux 9 (stretch)", "580.178.04",
       "sudo sh NVIDIA-Linux-x86_64-580.178.04.run -M proprietary"},
  };
  for (const auto& c : cases) {
    Request request = request_of(c.cards, knowledge);
    request.os_name = c.system;
    std::vector<std::string> lines;
    for (const CommandBlock& block : driver_commands(request, dotted(c.driver), knowledge))
      lines.insert(lines.end(), block.lines.begin(), block.lines.end());
    EXPECT_NE(std::find(lines.begin(), lines.end(), c.line), lines.end())
        << c.system << " " << join(lines, "\n");
  }
}

std::string all_lines(const std::vector<CommandBlock>& blocks) {
  std::string out;
  for (const CommandBlock& block : blocks) out += join(block.lines, "\n") + "\n";
  return out;
}

// A package of another release, or on a system whose image holds the kernel modules, does harm.
TEST(DriverCommands, NoDriverPackagesForAnotherSystem) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* system;
    const char* never;  // not among the lines
    const char* key;    // what the first block says
  } cases[] = {
      {"Debian GNU/Linux 9 (stretch)", "apt-get", "plan.when.run-file"},  // case 097
      {"Debian GNU/Linux trixie/sid", "apt-get", "plan.when.run-file"},
      {"Ubuntu 16.04.6 LTS", "apt-get", "plan.when.run-file"},
      {"Fedora Linux 43 (Silverblue)", "\n", "plan.when.driver-image"},
      {"TrueNAS SCALE 25.04", "\n", "plan.when.driver-image"},
      {"NixOS 25.05 (Warbler)", ".run", "plan.when.driver-nixos-legacy"},  // case 131
      {"Gentoo Linux", ".run", "plan.when.driver-other-system"},
      {"Linux Mint 22", "apt-get", "plan.when.run-file"},
  };
  for (const auto& c : cases) {
    Request request = request_of("gpu=6.1", knowledge);
    request.os_name = c.system;
    const auto blocks = driver_commands(request, dotted("580.178.04"), knowledge);
    ASSERT_FALSE(blocks.empty());
    EXPECT_EQ(blocks.front().when.key, c.key) << c.system;
    const std::string lines = all_lines(blocks);
    if (std::string_view(c.never) == "\n")
      EXPECT_EQ(lines, "\n") << c.system;
    else
      EXPECT_EQ(lines.find(c.never), std::string::npos) << c.system << lines;
  }
}

// A what-if does not say which distribution: words first, then each with its own name.
TEST(DriverCommands, DriverWhereTheDistributionIsNotKnown) {
  const Knowledge knowledge = Knowledge::embedded();
  const Request request = request_of("gpu=6.1", knowledge);
  const auto blocks = driver_commands(request, dotted("580.178.04"), knowledge);
  EXPECT_EQ(blocks.front().when.key, "plan.when.driver-any-system");
  EXPECT_TRUE(blocks.front().lines.empty());
  EXPECT_EQ(blocks[1].when.values.front().second, "Ubuntu 24.04");
}

TEST(DriverCommands, WslTakesTheWindowsDriver) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=8.6 os=wsl driver=none python=3.12", {}, knowledge);
  ASSERT_FALSE(plan.commands.empty());
  EXPECT_EQ(plan.commands.front().shell, "powershell");
  for (const CommandBlock& block : plan.commands) {
    for (const std::string& line : block.lines)
      EXPECT_EQ(line.find("apt-get"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace kernelfit
