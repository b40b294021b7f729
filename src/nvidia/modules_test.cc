// SPDX-License-Identifier: Apache-2.0
#include "nvidia/modules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

bool loaded(std::string_view file, std::string_view name) {
  std::vector<std::string> names = parse_loaded_modules(fixture(file));
  return std::ranges::find(names, name) != names.end();
}

TEST(Modules, TellsLoadedOnes) {
  EXPECT_TRUE(loaded("modules/lsmod_390.129.txt", "nvidia"));
  EXPECT_TRUE(loaded("modules/lsmod_580.105.08_closed.txt", "nvidia"));
  EXPECT_TRUE(loaded("modules/lsmod_580.105.08_closed.txt", "nvidia_uvm"));
  EXPECT_FALSE(loaded("modules/lsmod_580.105.08_closed.txt", "nouveau"));
  EXPECT_FALSE(loaded("modules/lsmod_broken-module-state.txt", "nvidia"));
  // /proc/modules has more columns
  EXPECT_EQ(parse_loaded_modules("nouveau 2433024 0 - Live 0x0000000000000000\n").at(0), "nouveau");
}

TEST(Modules, ReadsModinfo) {
  ModuleInfo info = parse_modinfo(fixture("modules/modinfo_510.73.05_closed-dkms.txt"));
  EXPECT_EQ(info.version.text(), "510.73.05");
  EXPECT_EQ(info.flavor, "proprietary");
  EXPECT_EQ(info.kernel, "5.15.0-30-generic");
  EXPECT_EQ(info.file, "/lib/modules/5.15.0-30-generic/updates/dkms/nvidia.ko");
  using namespace std::string_view_literals;
  ModuleInfo section = parse_modinfo_section(
      "version=595.91.07\0license=Dual MIT/GPL\0vermagic=6.8.0-87-generic SMP \0"sv);
  EXPECT_EQ(section.version.text(), "595.91.07");
  EXPECT_EQ(section.flavor, "open");
  EXPECT_EQ(section.kernel, "6.8.0-87-generic");
}

TEST(Modules, ReadsBothFormsOfDkmsStatus) {
  std::vector<DkmsModule> comma =
      parse_dkms_status(fixture("dkms/status_comma-form_470.103.01.txt"));
  ASSERT_EQ(comma.size(), 4U);
  EXPECT_EQ(comma[0].name, "nvidia");
  EXPECT_EQ(comma[0].version.text(), "470.103.01");
  EXPECT_EQ(comma[0].kernel, "5.4.0-105-generic");
  EXPECT_EQ(comma[0].state, "installed");
  std::vector<DkmsModule> slash =
      parse_dkms_status(fixture("dkms/status_slash-form_580.105.08.txt"));
  ASSERT_EQ(slash.size(), 2U);
  EXPECT_EQ(slash[1].version.text(), "580.105.08");
  EXPECT_EQ(slash[1].kernel, "6.8.0-87-generic");
  std::vector<DkmsModule> arm =
      parse_dkms_status(fixture("dkms/status_gh200_aarch64-and-arm64.txt"));
  ASSERT_EQ(arm.size(), 2U);
  EXPECT_EQ(arm[1].state, "installed");
  std::vector<DkmsModule> added = parse_dkms_status("nvidia/580.95.05: added\n");
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].kernel, "");
  EXPECT_EQ(added[0].state, "added");
}

TEST(Modules, ReadsSecureBoot) {
  EXPECT_EQ(parse_mokutil(fixture("secure_boot/sb-state_enabled_key-rejected.txt")), true);
  EXPECT_EQ(parse_mokutil("SecureBoot disabled\n"), false);
  EXPECT_EQ(parse_mokutil("EFI variables are not supported on this system\n"), std::nullopt);
}

TEST(Modules, ReadsPackages) {
  std::vector<InstalledPackage> found =
      parse_dpkg_query("nvidia-driver-510 510.73.05-0ubuntu0.22.04.1\nnvidia-driver-520 \n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "nvidia-driver-510");
  EXPECT_EQ(driver_version_of_package(found[0].version)->text(), "510.73.05");
  EXPECT_EQ(driver_version_of_package("1:535.183.01-1~deb12u1")->text(), "535.183.01");
  EXPECT_EQ(driver_version_of_package("20151021-15"), std::nullopt);
}

}  // namespace
}  // namespace kernelfit
