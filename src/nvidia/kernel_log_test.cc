// SPDX-License-Identifier: Apache-2.0
#include "nvidia/kernel_log.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

std::string told(const std::vector<KernelEvent>& events) {
  std::string out;
  for (const KernelEvent& event : events) {
    out +=
        event.kind + (event.xid != 0 ? std::to_string(event.xid) : "") + "(" + event.detail + ") ";
  }
  return out;
}

TEST(KernelLog, TellsEvents) {
  static constexpr struct {
    const char *file, *events;
  } kCases[] = {
      {"api-mismatch_535.171-vs-161_dmesg-T.txt", "api-mismatch(535.171.04 535.161.07) "},
      {"api-mismatch_syslog_185-vs-177.txt", "api-mismatch(185.19 177.82) "},
      {"bound-to-vfio-pci_no-devices-probed.txt",
       "already-bound(0000:01:00.0 vfio-pci) no-devices-probed() "},
      {"nouveau-holds-card_no-devices-probed.txt", "no-devices-probed() "},
      {"module-load-closed_550.144.03.txt", "module-load(550.144.03) "},
      {"nccl-segfault.txt", ""},
      {"xid13-dmesg-decode-iso.txt", "xid13(0000:38:00.0) xid43(0000:38:00.0) "},
      {"xid48-63-94-45-ecc-contained.txt",
       "xid48(0000:19:00.0) xid63(0000:19:00.0) xid94(0000:19:00.0) "},
      {"xid79-154_recovery-action.txt", "fallen-off-bus79(0000:01:00.0) xid154(0000:01:00.0) "},
      {"xid79_fallen-off-bus_syslog.txt", "fallen-off-bus79(0000:01:00.0) "},
      {"xid119-gsp-timeout_h100.txt", "xid119(0000:9b:00.0) "},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(told(parse_kernel_log(fixture(std::string("kernel_log/") + test.file))), test.events)
        << test.file;
  }
}

// Texts as people pasted them.
TEST(KernelLog, TellsWhyACardWasRefused) {
  EXPECT_EQ(told(parse_kernel_log(
                "[   87.358035] NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:1bb3)\n"
                "               NVRM: installed in this system is not supported by open\n"
                "               NVRM: nvidia.ko because it does not include the required GPU\n"
                "               NVRM: System Processor (GSP).\n"
                "[  988.289884] NVRM: GPU 0000:03:00.0: RmInitAdapter failed! (0x24:0x72:1603)\n")),
            "open-module-unsupported(0000:03:00.0) init-failed(0000:03:00.0 0x24:0x72:1603) ");
  EXPECT_EQ(told(parse_kernel_log(
                "kernel: NVRM: The NVIDIA NVIDIA GeForce GTX 1050 GPU installed in this system is\n"
                "              NVRM:  supported through the NVIDIA 580.xx Legacy drivers. Please\n"
                "              NVRM:  visit http://www.nvidia.com/object/unix.html for more\n"
                "              NVRM:  information.  The 595.58.03 NVIDIA driver will ignore\n"
                "              NVRM:  this GPU.  Continuing probe...\n"
                "kernel: NVRM: No NVIDIA GPU found.\n")),
            "unsupported-gpu(legacy 580.xx) no-devices-probed() ");
  EXPECT_EQ(
      told(parse_kernel_log("[  201.910514] NVRM: GPU 0000:01:00.0 is already bound to NovaCore.\n"
                            "[  201.913648] NVRM: No NVIDIA devices probed.\n")),
      "already-bound(0000:01:00.0 NovaCore) no-devices-probed() ");
  // The order of this paste is turned round, and its second half is missing: only what is certain.
  EXPECT_EQ(told(parse_kernel_log(
                "kernel: NVRM: GPU 0000:01:00.0: rm_init_adapter failed, device minor number 0\n"
                "kernel: NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x22:0x56:884)\n"
                "kernel: NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2b85)\n")),
            "init-failed(0000:01:00.0) init-failed(0000:01:00.0 0x22:0x56:884) ");
  // nv-pci.c of the closed module since R560, for Blackwell.
  EXPECT_EQ(
      told(parse_kernel_log(
          "[    4.1] NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2b85)\n"
          "NVRM: installed in this system requires use of the NVIDIA open kernel modules.\n")),
      "open-module-required(0000:01:00.0) ");
}

TEST(KernelLog, TellsRejectedModules) {
  EXPECT_EQ(told(parse_kernel_log(
                "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\n")),
            "key-rejected() ");
  EXPECT_EQ(
      told(parse_kernel_log("[   12.1] Lockdown: modprobe: unsigned module loading is restricted; "
                            "see man kernel_lockdown.7\n")),
      "key-rejected() ");
  EXPECT_EQ(told(parse_kernel_log(fixture("secure_boot/sb-state_enabled_key-rejected.txt"))), "");
  EXPECT_EQ(told(parse_kernel_log("nvidia: version magic '6.8.0-40-generic SMP ' should be "
                                  "'6.8.0-87-generic SMP '\n")),
            "module-mismatch() ");
}

TEST(KernelLog, ReadsOnlyTheLastStart) {
  EXPECT_EQ(told(parse_kernel_log(
                "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n"
                "Apr  7 23:03:57 host kernel: [    0.000000] Linux version 6.1.0-18-amd64\n"
                "nouveau 0000:01:00.0: NVIDIA GK107 (0e7280a2)\n")),
            "nouveau(0000:01:00.0) ");
}

}  // namespace
}  // namespace kernelfit
