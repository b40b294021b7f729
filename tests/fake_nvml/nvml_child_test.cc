// SPDX-License-Identifier: Apache-2.0
// The NVML probe with a real child process and a fake driver library.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "host/forwarding_host.h"
#include "probe/probes.h"

namespace kernelfit {
namespace {

constexpr const char* kTwoCards =
    "driver=535.183.01\ncuda=12020\n"
    "gpu=NVIDIA GeForce RTX 3090|1|220410DE|87AD1043|8.6|24576|GPU-1\n"
    "gpu=NVIDIA GeForce GTX 1060 6GB|2|1C0310DE|11D710DE|6.1|6144|GPU-2\n";

// The real host, but for who the child is and which driver it finds.
class FakeDriverHost : public ForwardingHost {
 public:
  FakeDriverHost(const Host& real, std::string library, std::string scenario)
      : ForwardingHost(real), library_(std::move(library)), scenario_(std::move(scenario)) {}

  Result<CommandResult> run(const Command& command) const override {
    if (command.argv.at(0) != self_path()) return error(ErrorKind::not_found, "not in this test");
    Command with_scenario = command;
    with_scenario.timeout = std::chrono::milliseconds(hang_ ? 500 : 20000);
    with_scenario.env["KERNELFIT_FAKE_NVML"] = scenario_;
    return inner_.run(with_scenario);
  }
  std::string self_path() const override { return KF_NVML_CHILD; }
  std::optional<std::string> env(std::string_view name) const override {
    if (name == "KERNELFIT_NVML_LIB" || name == "KERNELFIT_CUDA_LIB") return library_;
    return std::nullopt;
  }

  bool hang_ = false;

 private:
  std::string library_, scenario_;
};

Machine probe(const std::string& scenario, const std::string& library, bool hang = false) {
  std::string path = testing::TempDir() + "kernelfit_scenario_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path) << scenario;
  std::unique_ptr<Host> real = real_host();
  FakeDriverHost host(*real, library, path);
  host.hang_ = hang;
  Machine machine;
  machine.system.os = Fact<std::string>::known("linux", "test");
  machine.driver.module_loaded = Fact<bool>::known(true, "test");
  probe_nvml(host, {}, machine);
  return machine;
}

TEST(NvmlChild, TellsWhatTheDriverAnswers) {
  Machine machine = probe(std::string("mode=ok\n") + kTwoCards, KF_FAKE_NVML);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.driver.version.value_or({}).text(), "535.183.01");
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "12.2");
  ASSERT_EQ(machine.gpus.size(), 2U);
  const Gpu& gpu = machine.gpus[0];
  EXPECT_EQ(gpu.index, 0);
  EXPECT_EQ(gpu.name.value_or(""), "GeForce RTX 3090");
  EXPECT_EQ(gpu.pci_address.value_or(""), "0000:01:00.0");
  EXPECT_EQ(gpu.pci_id.value_or({}).text(), "10de:2204");
  EXPECT_EQ(gpu.pci_id.value_or({}).subvendor, 0x1043);
  EXPECT_EQ(gpu.compute_capability.value_or({}).text(), "8.6");
  EXPECT_EQ(gpu.memory_mib.value_or(0), 24576);
  EXPECT_EQ(gpu.uuid.value_or(""), "GPU-1");
  EXPECT_EQ(gpu.compute_mode.value_or(""), "Exclusive_Process");
  EXPECT_TRUE(gpu.mig.is_absent());
  EXPECT_EQ(machine.gpus[1].compute_capability.value_or({}).text(), "6.1");
  EXPECT_TRUE(machine.problems.empty());
}

TEST(NvmlChild, ACrashCostsOnlyTheChild) {
  Machine machine = probe(std::string("mode=crash\n") + kTwoCards, KF_FAKE_NVML);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "crashed");
  EXPECT_TRUE(machine.gpus.empty());
  ASSERT_FALSE(machine.problems.empty());
  // libcuda is asked again in a process of its own
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "12.2");
}

TEST(NvmlChild, AHangIsGivenUp) {
  Machine machine = probe(std::string("mode=hang\n") + kTwoCards, KF_FAKE_NVML, true);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "timed-out");
  EXPECT_FALSE(machine.problems.empty());
}

TEST(NvmlChild, AHangingLibcudaDoesNotCostWhatNvmlSaid) {
  auto start = std::chrono::steady_clock::now();
  Machine machine = probe(std::string("mode=cuda-hang\n") + kTwoCards, KF_FAKE_NVML);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.driver.version.value_or({}).text(), "535.183.01");
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "12.2");  // NVML's
  EXPECT_EQ(machine.gpus.size(), 2U);
  EXPECT_EQ(machine.problems, std::vector<std::string>{"libcuda did not answer in 4 s"});
}

TEST(NvmlChild, ACrashingLibcudaIsNotBlamedOnNvml) {
  Machine machine = probe(std::string("mode=cuda-crash\n") + kTwoCards, KF_FAKE_NVML);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.gpus.size(), 2U);
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "12.2");  // NVML's
  EXPECT_EQ(machine.problems, std::vector<std::string>{"libcuda crashed"});
}

TEST(NvmlChild, AnUnknownErrorIsOneLine) {
  Machine machine = probe("mode=unknown\n", KF_FAKE_NVML);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "unknown-error");
  ASSERT_EQ(machine.problems.size(), 1U);
  EXPECT_TRUE(machine.problems[0].starts_with("NVML: ")) << machine.problems[0];
}

TEST(NvmlChild, AnOldLibraryAnswersWhatItCan) {
  Machine machine = probe(std::string("mode=ok\n") + kTwoCards, KF_FAKE_NVML_OLD);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.driver.version.value_or({}).text(), "535.183.01");
  EXPECT_FALSE(machine.driver.cuda_max.has());
  ASSERT_EQ(machine.gpus.size(), 2U);
  EXPECT_EQ(machine.gpus[0].pci_id.value_or({}).text(), "10de:2204");
  EXPECT_FALSE(machine.gpus[0].compute_capability.has());
  EXPECT_FALSE(machine.gpus[0].memory_mib.has());
}

TEST(NvmlChild, TellsWhyTheDriverRefuses) {
  EXPECT_EQ(probe("mode=mismatch\n", KF_FAKE_NVML).driver.nvml.value_or(""), "version-mismatch");
  EXPECT_EQ(probe("mode=not-loaded\n", KF_FAKE_NVML).driver.nvml.value_or(""), "driver-not-loaded");
  EXPECT_EQ(probe("mode=ok\n", KF_FAKE_NVML).driver.nvml.value_or(""), "no-devices");
  EXPECT_EQ(probe("", "/no/such/library.so").driver.nvml.value_or(""), "no-library");
}

TEST(NvmlChild, OneLostCardDoesNotHideTheOther) {
  Machine machine = probe(std::string("mode=lost\n") + kTwoCards, KF_FAKE_NVML);
  EXPECT_EQ(machine.driver.nvml.value_or(""), "gpu-lost");
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_EQ(machine.gpus[0].name.value_or(""), "GeForce GTX 1060 6GB");
}

TEST(NvmlChild, IsNotAskedWithoutAModule) {
  std::unique_ptr<Host> real = real_host();
  FakeDriverHost host(*real, KF_FAKE_NVML, "/no/scenario");
  Machine machine;
  machine.system.os = Fact<std::string>::known("linux", "test");
  machine.driver.module_loaded = Fact<bool>::known(false, "/proc/modules");
  machine.driver.version = Fact<DottedVersion>::absent("/proc/modules");
  probe_nvml(host, {}, machine);
  EXPECT_TRUE(machine.driver.nvml.is_unknown());
}

}  // namespace
}  // namespace kernelfit
