// SPDX-License-Identifier: Apache-2.0
// The device files through which programs reach the driver.
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// /dev/nvidia0, /dev/nvidia7: a container has only those of its cards.
bool has_card_node(const Host& host) {
  if (host.exists("/dev/nvidia0")) return true;
  Result<std::vector<DirEntry>> entries = host.list_dir("/dev");
  if (!entries) return false;
  for (const DirEntry& entry : *entries) {
    if (entry.name.starts_with("nvidia") && parse_int(entry.name.substr(6))) return true;
  }
  return false;
}

}  // namespace

void probe_device_nodes(const Host& host, const ProbeOptions&, Machine& machine) {
  Driver& driver = machine.driver;
  if (is_windows(machine) || is_wsl(machine)) {
    driver.device_nodes = Fact<bool>::absent(is_wsl(machine) ? "WSL has /dev/dxg" : "Windows");
    driver.uvm_nodes = driver.device_nodes;
    return;
  }
  bool control = host.exists("/dev/nvidiactl");
  driver.device_nodes =
      Fact<bool>::known(control && has_card_node(host), "/dev/nvidiactl, /dev/nvidia0");
  driver.uvm_nodes = Fact<bool>::known(host.exists("/dev/nvidia-uvm"), "/dev/nvidia-uvm");
}

}  // namespace kernelfit
