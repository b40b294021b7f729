// SPDX-License-Identifier: Apache-2.0
// Servers with NVSwitch need the fabric manager: without it every CUDA call fails with error 802,
// also for one card alone (NVIDIA's "Fabric Manager User Guide").
#include "probe/nvswitch.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// The kernel keeps 15 characters of a process name: "nv-fabricmanage".
constexpr std::string_view kName = "nv-fabricmanage";

Fact<std::string> find_process(const Host& host) {
  Result<std::vector<DirEntry>> entries = host.list_dir("/proc");
  if (!entries) return Fact<std::string>::unknown(entries.error().text(), "/proc");
  for (const DirEntry& entry : *entries) {
    if (!parse_int(entry.name)) continue;
    std::string comm = join_path(join_path("/proc", entry.name), "comm");
    if (read_trimmed(host, comm) == kName) return Fact<std::string>::known("running", comm);
  }
  return Fact<std::string>::known("stopped", "/proc/*/comm");
}

}  // namespace

void probe_fabric_manager(const Host& host, const ProbeOptions&, Machine& machine) {
  Fact<std::string>& fact = machine.driver.fabric_manager;
  if (is_windows(machine) || is_wsl(machine) || machine.gpus.empty()) {
    fact = Fact<std::string>::absent("no NVSwitch");
    return;
  }
  if (!has_nvswitch(host)) {
    fact = Fact<std::string>::absent("no NVSwitch on the PCI bus");
  } else if (machine.system.container.has()) {
    fact = Fact<std::string>::unknown("a container does not see the host's processes");
  } else {
    fact = find_process(host);
  }
}

}  // namespace kernelfit
