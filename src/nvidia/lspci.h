// SPDX-License-Identifier: Apache-2.0
// lspci -nnk (or -nn): for machines whose /sys/bus/pci cannot be read, and for pasted texts.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace kernelfit {

struct LspciDevice {
  std::string address;    // "0000:01:00.0"
  int device_class = -1;  // 0x0300; -1: not printed (without -nn)
  std::string kind;       // "VGA compatible controller"
  PciId id;               // device 0: not printed
  std::string name;       // the card's name in brackets: "GeForce RTX 3060 Lite Hash Rate"
  std::string bound_driver;
  std::vector<std::string> modules;  // "Kernel modules:", candidates only
};
std::vector<LspciDevice> parse_lspci(std::string_view text);

}  // namespace kernelfit
