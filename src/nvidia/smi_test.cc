// SPDX-License-Identifier: Apache-2.0
#include "nvidia/smi.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

// The values are those a person reads in the files.
TEST(SmiXml, ReadsEveryAgeOfTheFormat) {
  static constexpr struct {
    const char *file, *driver, *cuda;
    std::size_t gpus;
    const char *name, *address, *id;
    std::int64_t memory_mib;
    const char* driver_model;
  } kCases[] = {
      {"tesla-k20m_340.24.xml", "340.24", "", 1, "Tesla K20m", "0000:0d:00.0", "10de:1028", 4799,
       ""},
      {"grid-k520-kepler_352.99.xml", "352.99", "", 1, "GRID K520", "0000:00:03.0", "10de:118a",
       4095, ""},
      {"inline-dtd_rai2.xml", "352.99", "", 1, "GRID K520", "0000:00:03.0", "10de:118a", 4095, ""},
      {"gtx1070_384.66.xml", "384.66", "", 2, "GeForce GTX 1070", "0000:01:00.0", "10de:1b81", 8112,
       ""},
      {"gt730-outdated_384.111.xml", "384.111", "", 1, "GeForce GT 730", "0000:01:00.0", "", -1,
       ""},
      {"gt730-kepler_440.59.xml", "440.59", "10.2", 1, "GeForce GT 730", "0000:20:00.0",
       "10de:1287", 2001, ""},
      {"gtx1660ti-as-graphics-device_418.43.xml", "418.43", "10.1", 1, "", "0000:43:00.0",
       "10de:2184", 5912, ""},
      {"gtx1050-windows_436.48.xml", "436.48", "10.1", 1, "GeForce GTX 1050", "0000:01:00.0",
       "10de:1c8d", 2048, "WDDM"},
      {"gt1030_470.74.xml", "470.74", "11.4", 1, "GeForce GT 1030", "0000:2d:00.0", "10de:1d01",
       1998, ""},
      {"a10g_515.105.01.xml", "515.105.01", "11.7", 1, "A10G", "0000:00:1e.0", "", 23028, ""},
      {"rtx2080-windows_516.59.xml", "516.59", "11.7", 1, "GeForce RTX 2080", "0000:0a:00.0",
       "10de:1e87", 8192, "WDDM"},
      {"rtx4090_535.86.05.xml", "535.86.05", "12.2", 1, "GeForce RTX 4090", "0000:84:00.0",
       "10de:2684", 24564, ""},
      {"rtx3090_590.44.01.xml", "590.44.01", "13.1", 1, "GeForce RTX 3090", "0000:09:00.0",
       "10de:2204", 24576, ""},
      {"2x-rtx-a5000_590.44.01.xml", "590.44.01", "13.1", 2, "RTX A5000", "0000:81:00.0",
       "10de:2231", 24564, ""},
      {"tesla-t4_595.91.07.xml", "595.91.07", "13.2", 1, "Tesla T4", "0000:00:1e.0", "10de:1eb8",
       15360, ""},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.file);
    Result<SmiAnswer> answer = parse_smi_xml(fixture(std::string("smi_xml/") + test.file));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->driver.text(), test.driver);
    EXPECT_EQ(answer->cuda_max.text(), test.cuda);
    ASSERT_EQ(answer->gpus.size(), test.gpus);
    const SmiGpu& gpu = answer->gpus[0];
    EXPECT_EQ(gpu.name, test.name);
    EXPECT_EQ(gpu.pci_address, test.address);
    EXPECT_EQ(gpu.pci_id ? gpu.pci_id->text() : "", test.id);
    EXPECT_EQ(gpu.memory_mib.value_or(-1), test.memory_mib);
    EXPECT_EQ(gpu.driver_model, test.driver_model);
    EXPECT_EQ(gpu.index, 0);
  }
}

TEST(SmiXml, CountsMigInstances) {
  Result<SmiAnswer> answer = parse_smi_xml(fixture("smi_xml/a100-sxm4-80gb_mig_535.54.03.xml"));
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->gpus.size(), 1U);
  EXPECT_EQ(answer->gpus[0].mig, true);
  EXPECT_EQ(answer->gpus[0].mig_instances, 4);
  EXPECT_EQ(answer->gpus[0].memory_mib, 81920);
}

TEST(SmiXml, ReadsVgpuLicences) {
  Result<SmiAnswer> guest =
      parse_smi_xml(fixture("smi_xml/vgpu-grid-p4-1q-windows-guest_513.46.xml"));
  ASSERT_TRUE(guest);
  EXPECT_EQ(guest->gpus[0].virtualization, "VGPU");
  EXPECT_EQ(guest->gpus[0].vgpu_license, "Licensed");
  Result<SmiAnswer> bare = parse_smi_xml(fixture("smi_xml/rtx3090_590.44.01.xml"));
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->gpus[0].virtualization, "");
  EXPECT_EQ(bare->gpus[0].vgpu_license, "");
}

TEST(SmiXml, R610KeepsTheOldNamesWithANotice) {
  // The element names are those of the R610 release notes; the notice is that of `nvidia-smi -q`.
  Result<SmiAnswer> answer = parse_smi_xml(
      "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>"
      "<driver_version>610.57.04 [Deprecated; will be removed in CUDA 14.0. Use KMD Version "
      "instead]"
      "</driver_version><cuda_version>Deprecated, see \"CUDA UMD version\" instead</cuda_version>"
      "<cuda_umd_version>13.3</cuda_umd_version></nvidia_smi_log>");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->driver.text(), "610.57.04");
  EXPECT_EQ(answer->cuda_max.text(), "13.3");
}

TEST(SmiXml, ExpandsNoEntities) {
  Result<SmiAnswer> answer = parse_smi_xml(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE nvidia_smi_log [<!ENTITY a \"aaaa\"><!ENTITY b "
      "\"&a;&a;\">]>\n"
      "<nvidia_smi_log><driver_version>550.54.14</driver_version>"
      "<gpu id=\"00000000:01:00.0\"><product_name>&b;</product_name></gpu></nvidia_smi_log>");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->driver.text(), "550.54.14");
  EXPECT_EQ(answer->gpus.at(0).name, "&b;");
}

TEST(SmiXml, KeepsWhatStoodBeforeACut) {
  std::string text = fixture("smi_xml/rtx4090_535.86.05.xml");
  Result<SmiAnswer> cut = parse_smi_xml(std::string_view(text).substr(0, text.size() / 2));
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->driver.text(), "535.86.05");
  ASSERT_EQ(cut->gpus.size(), 1U);
  EXPECT_EQ(cut->gpus[0].name, "GeForce RTX 4090");
  EXPECT_FALSE(parse_smi_xml("Failed to initialize NVML: Unknown Error\n"));
  EXPECT_FALSE(parse_smi_xml(""));
}

TEST(SmiQuery, ReadsColumnsByName) {
  Result<SmiAnswer> answer =
      parse_smi_query(fixture("smi_query/rtx2080s_610.57.04_all-fields.txt"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->driver.text(), "610.57.04");
  ASSERT_EQ(answer->gpus.size(), 1U);
  const SmiGpu& gpu = answer->gpus[0];
  EXPECT_EQ(gpu.index, 0);
  EXPECT_EQ(gpu.name, "GeForce RTX 2080 SUPER");
  EXPECT_EQ(gpu.pci_address, "0000:0c:00.0");
  EXPECT_EQ(gpu.pci_id->text(), "10de:1e81");
  EXPECT_EQ(gpu.pci_id->subvendor, 0x1458);
  EXPECT_EQ(gpu.compute_capability->text(), "7.5");
  EXPECT_EQ(gpu.memory_mib, 8192);
  EXPECT_EQ(gpu.compute_mode, "Default");
  EXPECT_EQ(gpu.driver_model, "");
  EXPECT_EQ(gpu.mig, std::nullopt);
}

TEST(SmiQuery, ReadsWindowsMigAndBareAnswers) {
  Result<SmiAnswer> windows =
      parse_smi_query(fixture("smi_query/rtx2080s-windows_610.62_all-fields.txt"));
  ASSERT_TRUE(windows);
  EXPECT_EQ(windows->driver.text(), "610.62");
  EXPECT_EQ(windows->gpus.at(0).driver_model, "WDDM");
  Result<SmiAnswer> mig = parse_smi_query(fixture("smi_query/h100-mig_590.48.01_all-fields.txt"));
  ASSERT_TRUE(mig);
  EXPECT_EQ(mig->gpus.at(0).mig, true);
  EXPECT_EQ(mig->gpus.at(0).compute_capability->text(), "9.0");
  Result<SmiAnswer> many =
      parse_smi_query(fixture("smi_query/4x-rtx5060ti_pcie-downtrained_595.91.07.txt"));
  ASSERT_TRUE(many);
  ASSERT_EQ(many->gpus.size(), 4U);
  EXPECT_EQ(many->gpus[3].index, 3);
  Result<SmiAnswer> old = parse_smi_query(fixture("smi_query/quadro-p2000_430.26.txt"));
  ASSERT_TRUE(old);
  EXPECT_EQ(old->gpus.at(0).name, "Quadro P2000");
  EXPECT_EQ(old->gpus.at(0).compute_capability, std::nullopt);
  Result<SmiAnswer> sick = parse_smi_query(fixture("smi_query/gpu-requires-reset.txt"));
  ASSERT_TRUE(sick);
  EXPECT_EQ(sick->gpus.at(0).trouble, "GPU requires reset");
}

// A card that fell off the bus has the sentence in the place of each value; the other one answers.
TEST(SmiQuery, ALostCardHasNoValues) {
  Result<SmiAnswer> answer = parse_smi_query(
      "index, name, pci.bus_id, memory.total [MiB], uuid\n"
      "0, [GPU is lost], 00000000:01:00.0, [GPU is lost], [GPU is lost]\n"
      "1, NVIDIA GeForce RTX 3090, 00000000:02:00.0, 24576 MiB, GPU-1\n");
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->gpus.size(), 2U);
  EXPECT_EQ(answer->gpus[0].name, "");
  EXPECT_EQ(answer->gpus[0].uuid, "");
  EXPECT_EQ(answer->gpus[0].trouble, "GPU is lost");
  EXPECT_EQ(answer->gpus[1].trouble, "");
  Result<SmiAnswer> xml = parse_smi_xml(
      "<nvidia_smi_log><driver_version>535.183.01</driver_version><gpu id=\"00000000:01:00.0\">"
      "<product_name>GPU is lost</product_name><uuid>GPU is lost</uuid><fb_memory_usage>"
      "<total>GPU is lost</total></fb_memory_usage></gpu></nvidia_smi_log>");
  ASSERT_TRUE(xml);
  EXPECT_EQ(xml->gpus.at(0).name, "");
  EXPECT_EQ(xml->gpus.at(0).uuid, "");
  EXPECT_EQ(xml->gpus.at(0).trouble, "GPU is lost");
}

// Two cards on each board: the driver's index is the order of the answer, not the minor number.
TEST(SmiXml, CountsInTheOrderOfTheAnswer) {
  Result<SmiAnswer> answer =
      parse_smi_xml(fixture("smi_xml/4x-tesla-k80_minor-out-of-order_430.26.xml"));
  ASSERT_TRUE(answer);
  ASSERT_GE(answer->gpus.size(), 2U);
  EXPECT_EQ(answer->gpus[0].index, 0);
  EXPECT_EQ(answer->gpus[0].pci_address, "1580:00:00.0");
  EXPECT_EQ(answer->gpus[1].pci_address, "2df7:00:00.0");
}

TEST(SmiQuery, AnAnswerWithoutAHeaderIsAnError) {
  Result<SmiAnswer> refused = parse_smi_query(fixture("smi_query/compute_cap-not-a-field.txt"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Field \"compute_cap\" is not a valid field to query.");
  EXPECT_FALSE(parse_smi_query(fixture("smi_error/nvml-unknown-error.txt")));
  EXPECT_FALSE(parse_smi_query(fixture("jetson_tegra/query_orin_na.txt")));
}

TEST(SmiVersion, ReadsOldAndNewNames) {
  SmiAnswer r610 = parse_smi_version(fixture("smi_version/rtx2080s_610.57.04.txt"));
  EXPECT_EQ(r610.driver.text(), "610.57.04");
  EXPECT_EQ(r610.cuda_max.text(), "13.3");
  SmiAnswer r595 = parse_smi_version(fixture("smi_version/rtx4080s_595.71.05.txt"));
  EXPECT_EQ(r595.driver.text(), "595.71.05");
  EXPECT_EQ(r595.cuda_max.text(), "13.2");
  EXPECT_TRUE(parse_smi_version("Invalid combination of input arguments.").driver.empty());
}

TEST(SmiError, NamesTheState) {
  static constexpr struct {
    const char *file, *state;
  } kCases[] = {
      {"cannot-communicate.txt", "driver-not-loaded"},
      {"device-handle-unknown-error.txt", "gpu-lost"},
      {"driver-library-mismatch_595.txt", "version-mismatch"},
      {"driver-library-mismatch_old.txt", "version-mismatch"},
      {"no-supported-gpus.txt", "no-devices"},
      {"nvml-unknown-error.txt", "unknown-error"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(parse_smi_error(fixture(std::string("smi_error/") + test.file)), test.state)
        << test.file;
  }
  EXPECT_EQ(
      parse_smi_error("Failed to initialize NVML: GPU access blocked by the operating system"),
      "blocked");
  EXPECT_EQ(parse_smi_error("index, name\n0, NVIDIA T4\n"), "");
}

}  // namespace
}  // namespace kernelfit
