// SPDX-License-Identifier: Apache-2.0
// The rules of the CUDA C++ Programming Guide, "CUDA Environment Variables".
#include <gtest/gtest.h>

#include "probe/probes.h"
#include "probe/recorded_folder_for_tests.h"

namespace kernelfit {
namespace {

Machine two_cards(const std::string& variable, bool same_kind, const std::string& order = "") {
  Machine machine;
  for (int i = 0; i < 2; ++i) {
    Gpu gpu;
    gpu.index = i;
    gpu.name = Fact<std::string>::known(same_kind || i == 0 ? "GeForce RTX 3090" : "GeForce GT 730",
                                        "test");
    gpu.uuid = Fact<std::string>::known(i == 0 ? "GPU-aaaa-1" : "GPU-bbbb-2", "test");
    gpu.pci_address = Fact<std::string>::known(i == 0 ? "0000:01:00.0" : "0000:02:00.0", "test");
    machine.gpus.push_back(std::move(gpu));
  }
  machine.variables.cuda_visible_devices = variable == "unset"
                                               ? Fact<std::string>::absent("test")
                                               : Fact<std::string>::known(variable, "test");
  if (!order.empty()) machine.variables.cuda_device_order = Fact<std::string>::known(order, "test");
  probe_visible(*real_host(), {}, machine);
  return machine;
}

std::string told(const Machine& machine) {
  std::string out;
  for (const Gpu& gpu : machine.gpus) out += !gpu.visible.has() ? "?" : *gpu.visible ? "1" : "0";
  return out;
}

TEST(VisibleProbe, FollowsCudasRules) {
  static constexpr struct {
    const char *variable, *same, *mixed;
  } kCases[] =
      {
          {"unset", "11", "11"},
          {"0", "10", "??"},  // of different cards CUDA puts the fastest first
          {"1", "01", "??"},
          {"1,0", "11", "11"},
          {"", "00", "00"},
          {"-1", "00", "00"},
          {"7", "00", "00"},
          {"0,-1,1", "10", "??"},  // the first invalid index ends the list
          {"0,0", "00", "00"},     // a card named twice is an error
          {"GPU-bbbb-2", "01", "01"},
          {"GPU-b", "01", "01"},
          {"GPU-", "00", "00"},  // the beginning of both
          {"GPU-cccc", "00", "00"},
      };
  for (const auto& test : kCases) {
    EXPECT_EQ(told(two_cards(test.variable, true)), test.same) << test.variable;
    EXPECT_EQ(told(two_cards(test.variable, false)), test.mixed) << test.variable;
  }
  EXPECT_EQ(told(two_cards("1", false, "PCI_BUS_ID")), "01");
}

Machine old_and_new(const std::string& variable) {
  Machine machine;
  for (const char* name : {"GeForce GTX 1060 6GB", "GeForce RTX 3090"}) {
    Gpu gpu;
    gpu.index = static_cast<int>(machine.gpus.size());
    gpu.name = Fact<std::string>::known(name, "test");
    gpu.pci_address =
        Fact<std::string>::known("0000:0" + std::to_string(gpu.index + 1) + ":00.0", "test");
    machine.gpus.push_back(std::move(gpu));
  }
  machine.variables.cuda_visible_devices = Fact<std::string>::known(variable, "test");
  ProbeOptions options;
  options.chip_of = [](const Gpu& gpu) { return gpu.index == 0 ? "GP106" : "GA102"; };
  probe_visible(*real_host(), options, machine);
  return machine;
}

// Fastest first is the default order, whatever nvidia-smi's numbers are.
TEST(VisibleProbe, TheFastestCardIsZero) {
  EXPECT_EQ(told(old_and_new("0")), "01");
  EXPECT_EQ(told(old_and_new("1")), "10");
}

// CUDA counts only cards that the NVIDIA driver holds.
TEST(VisibleProbe, ACardOfAnotherDriverIsNotCounted) {
  Machine machine = two_cards("unset", false);
  machine.gpus[0].index = -1;
  machine.gpus[0].bound_driver = Fact<std::string>::known("nouveau", "test");
  machine.variables.cuda_visible_devices = Fact<std::string>::known("0", "test");
  probe_visible(*real_host(), {}, machine);
  EXPECT_EQ(told(machine), "01");
}

// The driver lists the instances; what it does not list is invalid, and nothing is visible.
TEST(VisibleProbe, AMigUuidIsOneThatTheDriverLists) {
  const auto visible = [](const std::string& value, const std::string& uuids) {
    const std::string answer =
        "{\"nvml\": {\"state\": \"ok\", \"driver_version\": \"525.85.12\", \"gpus\": [{\"index\": "
        "0, "
        "\"name\": \"NVIDIA A100-SXM4-40GB\", \"pci_bus_id\": \"00000000:01:00.0\", \"mig\": true, "
        "\"mig_instances\": " +
        std::string(uuids.empty() ? "0" : "1") + ", \"mig_uuids\": [" + uuids + "]}]}}";
    return told(RecordedFolder()
                    .loaded("525.85.12")
                    .env("CUDA_VISIBLE_DEVICES", value)
                    .command({"kernelfit", "__nvml"}, answer)
                    .inspect());
  };
  EXPECT_EQ(visible("MIG-aaaa-1", "\"MIG-aaaa-1\""), "1");
  EXPECT_EQ(visible("MIG-bbbb-2", "\"MIG-aaaa-1\""), "0");
  EXPECT_EQ(visible("MIG-aaaa-1", ""), "0");
}

}  // namespace
}  // namespace kernelfit
