// SPDX-License-Identifier: Apache-2.0
#include "nvidia/windows_text.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

// NVIDIA's forum and the WSL reports quote both numbers of one driver.
TEST(WindowsText, TellsNvidiasNumber) {
  EXPECT_EQ(nvidia_version_of_windows("31.0.15.2686")->text(), "526.86");
  EXPECT_EQ(nvidia_version_of_windows("32.0.15.6094")->text(), "560.94");
  EXPECT_EQ(nvidia_version_of_windows("27.21.14.5671")->text(), "456.71");
  EXPECT_EQ(nvidia_version_of_windows("26.21.14.4250")->text(), "442.50");
  EXPECT_EQ(nvidia_version_of_windows("560.94"), std::nullopt);
}

TEST(WindowsText, ReadsDisplayAdapters) {
  std::vector<DisplayAdapter> found = parse_display_adapters(
      "\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968}\\0000\r\n"
      "    DriverDesc    REG_SZ    NVIDIA GeForce RTX 3060\r\n"
      "    MatchingDeviceId    REG_SZ    PCI\\VEN_10DE&DEV_2504&SUBSYS_397D1462\r\n"
      "    DriverVersion    REG_SZ    32.0.15.6094\r\n"
      "\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968}\\0001\r\n"
      "    DriverDesc    REG_SZ    Intel(R) UHD Graphics 630\r\n"
      "    MatchingDeviceId    REG_SZ    PCI\\VEN_8086&DEV_3E98\r\n"
      "    DriverVersion    REG_SZ    30.0.101.1660\r\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "GeForce RTX 3060");
  EXPECT_EQ(found[0].id.text(), "10de:2504");
  EXPECT_EQ(found[0].id.subvendor, 0x1462);
  EXPECT_EQ(found[0].driver.text(), "560.94");
  EXPECT_EQ(found[1].id.vendor, 0x8086);
  EXPECT_TRUE(found[1].driver.empty());
}

// Microsoft, "Identifiers for PCI Devices": a card without its driver is matched by its class.
TEST(WindowsText, AnAdapterMatchedByItsClassTellsNoMaker) {
  const auto found = parse_display_adapters(
      "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968}\\0000\r\n"
      "    DriverDesc    REG_SZ    Microsoft Basic Display Adapter\r\n"
      "    MatchingDeviceId    REG_SZ    pci\\cc_0300\r\n"
      "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968}\\0001\r\n"
      "    DriverDesc    REG_SZ    Microsoft Remote Display Adapter\r\n"
      "    MatchingDeviceId    REG_SZ    SWD\\RemoteDisplayEnum\r\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].maker_unknown);
}

TEST(WindowsText, ReadsPciIdsWhereverTheyStand) {
  const auto ids = parse_windows_pci_ids(
      "Instance ID:                PCI\\VEN_10DE&DEV_2504&SUBSYS_397D1462&REV_A1\\4&1d2e&0&0008\r\n"
      "Instanz-ID:                 PCI\\VEN_8086&DEV_4680&SUBSYS_7D251462&REV_0C\\3&1158&0&10\r\n"
      "HardwareID    REG_MULTI_SZ    PCI\\VEN_10DE&DEV_228E&CC_040300\\0PCI\\VEN_10DE&CC_0403\r\n");
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_EQ(ids[0].text(), "10de:2504");
  EXPECT_EQ(ids[0].subvendor, 0x1462);
  EXPECT_EQ(ids[1].vendor, 0x8086);
  EXPECT_EQ(ids[2].text(), "10de:228e");
}

}  // namespace
}  // namespace kernelfit
