// SPDX-License-Identifier: Apache-2.0
#include "nvidia/pci_text.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(PciText, BringsAddressesToTheFormOfSysfs) {
  static constexpr struct {
    const char *text, *address;
  } kCases[] = {
      {"00000000:01:00.0", "0000:01:00.0"},  // NVML, nvidia-smi
      {"0000:0D:00.0", "0000:0d:00.0"},      // nvidia-smi of R340
      {"01:00.0", "0000:01:00.0"},           // lspci
      {"0001:00:00.0", "0001:00:00.0"},      // Azure
      {"00010000:81:00.0", "10000:81:00.0"},
      {"0000:9b:00", "0000:9b:00.0"},  // Xid lines
      {"01.00.0", ""},                 // /proc/driver/nvidia/cards/0 of R180
      {"[N/A]", ""},
      {"N/A", ""},
      {"", ""},
      {"0x01:00:00.0", ""},
      {"1:2:3:4", ""},
  };
  for (const auto& test : kCases)
    EXPECT_EQ(normal_pci_address(test.text), test.address) << test.text;
}

TEST(PciText, ReadsIdsAsTheDriverPrintsThem) {
  std::optional<PciId> id = parse_pci_id_pair("220410DE", "87AD1043");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->text(), "10de:2204");
  EXPECT_EQ(id->subvendor, 0x1043);
  EXPECT_EQ(id->subdevice, 0x87ad);
  EXPECT_TRUE(parse_pci_id_pair("0x1E8110DE", ""));
  EXPECT_FALSE(parse_pci_id_pair("000000DE", "000000DE"));  // masked by a cloud
  EXPECT_FALSE(parse_pci_id_pair("N/A", "N/A"));
}

TEST(PciText, NamesCardsWithoutTheirMaker) {
  EXPECT_EQ(plain_gpu_name("NVIDIA GeForce RTX 3090"), "GeForce RTX 3090");
  EXPECT_EQ(plain_gpu_name("NVIDIA NVIDIA GeForce GTX 1050"), "GeForce GTX 1050");
  EXPECT_EQ(plain_gpu_name("Tesla T4"), "Tesla T4");
  EXPECT_EQ(plain_gpu_name("Orin (nvgpu)"), "Orin");
  EXPECT_EQ(plain_gpu_name("Graphics Device"), "");
  EXPECT_EQ(plain_gpu_name("[N/A]"), "");
}

}  // namespace
}  // namespace kernelfit
