// SPDX-License-Identifier: Apache-2.0
#include "nvidia/lspci.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

TEST(Lspci, ReadsOneCardWithItsDriver) {
  static constexpr struct {
    const char *file, *address;
    int device_class;
    const char *id, *name, *driver;
    int subvendor;
  } kCases[] = {
      {"8400gs_nnk_old-vendor-spelling.txt", "0000:01:00.0", 0x300, "10de:0422", "GeForce 8400 GS",
       "nouveau", 0},
      {"gf117m_nnk_nouveau-3d-controller.txt", "0000:04:00.0", 0x302, "10de:1140",
       "GeForce 610M/710M/820M / GT 620M/625M/630M/720M", "nouveau", 0},
      {"gt650m_nnk_nouveau.txt", "0000:01:00.0", 0x300, "10de:0fd1", "GeForce GT 650M", "nouveau",
       0x103c},
      {"rtx3060_nnk_nvidia.txt", "0000:07:00.0", 0x300, "10de:2504",
       "GeForce RTX 3060 Lite Hash Rate", "nvidia", 0x1462},
      {"t500_nnk_vfio-pci.txt", "0000:01:00.0", 0x302, "10de:1fbb", "Quadro T500 Mobile",
       "vfio-pci", 0x1028},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.file);
    std::vector<LspciDevice> found = parse_lspci(fixture(std::string("lspci/") + test.file));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].address, test.address);
    EXPECT_EQ(found[0].device_class, test.device_class);
    EXPECT_EQ(found[0].id.text(), test.id);
    EXPECT_EQ(found[0].name, test.name);
    EXPECT_EQ(found[0].bound_driver, test.driver);
    EXPECT_EQ(found[0].id.subvendor, test.subvendor);
  }
}

TEST(Lspci, TellsCardsFromSwitchesAndNetworks) {
  int cards = 0, switches = 0;
  for (const LspciDevice& device : parse_lspci(fixture("lspci/a100-azure-hyperv_nn.txt"))) {
    if (device.id.vendor != 0x10de) continue;
    cards += device.device_class == 0x302;
    switches += device.device_class == 0x680;
  }
  EXPECT_EQ(cards, 8);
  EXPECT_EQ(switches, 6);
}

TEST(Lspci, ReadsACardThatPciIdsDoesNotKnow) {
  std::vector<LspciDevice> found = parse_lspci(fixture("lspci/rtx-pro-6000_unnamed-device.txt"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].id.text(), "10de:2bb5");
  EXPECT_EQ(found[1].name, "");
  EXPECT_EQ(found[1].device_class, -1);
  EXPECT_EQ(found[1].kind, "3D controller");
}

}  // namespace
}  // namespace kernelfit
