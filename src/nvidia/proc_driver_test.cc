// SPDX-License-Identifier: Apache-2.0
#include "nvidia/proc_driver.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

TEST(ProcDriver, ReadsTheVersionOfEveryAgeAndFlavour) {
  static constexpr struct {
    const char *file, *version;
    bool open;
  } kCases[] = {
      {"version_340.29_closed.txt", "340.29", false},
      {"version_384.98_localised-gcc.txt", "384.98", false},
      {"version_565.77_open_nixbld.txt", "565.77", true},
      {"version_580.126.20_closed.txt", "580.126.20", false},
      {"version_580.95.05_open_dvs-builder.txt", "580.95.05", true},
      {"version_595.91.07_open_user-built.txt", "595.91.07", true},
      {"version_615.71.09_open_arch.txt", "615.71.09", true},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.file);
    Result<ModuleVersion> found =
        parse_proc_version(fixture(std::string("proc_driver_nvidia/") + test.file));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->version.text(), test.version);
    EXPECT_EQ(found->open, test.open);
  }
}

TEST(ProcDriver, RefusesWhatIsNotAVersion) {
  EXPECT_FALSE(parse_proc_version(""));
  EXPECT_FALSE(parse_proc_version("GCC version:  gcc version 13.3.0 (GCC)\n"));
  EXPECT_FALSE(parse_proc_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module\n"));
}

TEST(ProcDriver, ReadsACardsInformation) {
  GpuInformation card =
      parse_gpu_information(fixture("proc_driver_nvidia/information_rtx3090_590.48.01.txt"));
  EXPECT_EQ(card.name, "GeForce RTX 3090");
  EXPECT_EQ(card.uuid, "GPU-00000000-0000-0000-0000-000000000001");
  EXPECT_EQ(card.pci_address, "0000:01:00.0");
  EXPECT_EQ(card.minor, 0);
  EXPECT_FALSE(card.excluded);
  // "GPU-????????-????-…": a card that no program has started yet
  GpuInformation sleeping = parse_gpu_information("GPU UUID: \t GPU-" + std::string(8, '?') + "-" +
                                                  std::string(4, '?') + "\n");
  EXPECT_EQ(sleeping.uuid, "");
  GpuInformation old =
      parse_gpu_information(fixture("proc_driver_nvidia/cards-0_8600m_unreadable-bios.txt"));
  EXPECT_EQ(old.name, "GeForce 8600M GS");
  EXPECT_EQ(old.pci_address, "");  // "01.00.0": not an address of Linux
}

TEST(ProcDriver, FindsModuleParameters) {
  std::string text = fixture("proc_driver_nvidia/params_580-era.txt");
  EXPECT_EQ(find_module_param(text, "OpenRmEnableUnsupportedGpus"), "1");
  EXPECT_EQ(find_module_param(text, "EnableGpuFirmware"), "18");
  EXPECT_EQ(find_module_param(text, "TemporaryFilePath"), "/var/tmp");
  EXPECT_EQ(find_module_param(text, "NoSuchThing"), std::nullopt);
}

}  // namespace
}  // namespace kernelfit
