// SPDX-License-Identifier: Apache-2.0
// What Windows' registry says of display adapters.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace kernelfit {

struct DisplayAdapter {
  std::string name;  // "GeForce RTX 3060"
  PciId id;
  DottedVersion driver;  // NVIDIA's number: "560.94"; empty: another maker's, or not told
  // A PCI device matched by its class alone ("pci\cc_0300"), as Windows drives a card before its
  // driver is installed: whose it is stands elsewhere, and `id` is empty.
  bool maker_unknown = false;
};
// reg query HKLM\SYSTEM\…\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318} /s
std::vector<DisplayAdapter> parse_display_adapters(std::string_view text);

// Every "PCI\VEN_10DE&DEV_2504&SUBSYS_397D1462" of a text, each device once: pnputil /enum-devices,
// reg query …\Enum\PCI, wmic, hardware ids of the Device Manager.
std::vector<PciId> parse_windows_pci_ids(std::string_view text);

// Windows writes NVIDIA's driver 560.94 as 32.0.15.6094, and 526.86 as 31.0.15.2686: the last five
// digits.
std::optional<DottedVersion> nvidia_version_of_windows(std::string_view version);

}  // namespace kernelfit
