// SPDX-License-Identifier: Apache-2.0
// Windows: where nvidia-smi is silent, the registry still names the display adapters and their
// driver.
#include "nvidia/windows_text.h"
#include "probe/gpus.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// The class of display adapters (Microsoft, "System-Defined Device Setup Classes").
constexpr const char* kDisplayClass =
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}";
constexpr const char* kRegistry = "reg query, display adapters";

void add_adapter(const DisplayAdapter& adapter, Machine& machine) {
  if (adapter.id.vendor != 0x10de) {
    if (adapter.id.vendor == 0x1002 || adapter.id.vendor == 0x8086) {
      machine.other_gpus.push_back(
          {adapter.id.vendor == 0x1002 ? "AMD" : "Intel", adapter.name, {}});
    }
    return;
  }
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.pci_id.has() && gpu.pci_id->device == adapter.id.device) return;
    if (gpu.name.is(adapter.name)) return;
  }
  Gpu gpu;
  gpu.pci_id = Fact<PciId>::known(adapter.id, kRegistry);
  if (!adapter.name.empty()) gpu.name = Fact<std::string>::known(adapter.name, kRegistry);
  machine.gpus.push_back(std::move(gpu));
}

}  // namespace

void probe_windows(const Host& host, const ProbeOptions&, Machine& machine) {
  if (!is_windows(machine)) return;
  Driver& driver = machine.driver;
  if (driver.version.has() && !machine.gpus.empty()) return;
  Result<CommandResult> result =
      host.run({.argv = {"reg", "query", kDisplayClass, "/s"}, .env = {}});
  if (result && !result->timed_out) {
    for (const DisplayAdapter& adapter : parse_display_adapters(result->out)) {
      add_adapter(adapter, machine);
      if (adapter.id.vendor == 0x10de && !driver.version.has() && !adapter.driver.empty()) {
        driver.version = Fact<DottedVersion>::known(adapter.driver, kRegistry);
      }
    }
  }
  if (!driver.version.has() && driver.nvml.is_unknown()) {
    bool library = host.exists("C:\\Windows\\System32\\nvcuda.dll");
    driver.version = library
                         ? Fact<DottedVersion>::unknown("nvidia-smi does not answer", "nvidia-smi")
                         : Fact<DottedVersion>::absent("C:\\Windows\\System32\\nvcuda.dll");
  }
}

}  // namespace kernelfit
