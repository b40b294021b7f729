// SPDX-License-Identifier: Apache-2.0
// Windows: where nvidia-smi is silent, the registry still names the display adapters and their
// driver.
#include <algorithm>

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

bool is_there(const Machine& machine, const PciId& id) {
  return std::ranges::any_of(machine.gpus, [&](const Gpu& gpu) {
    return gpu.pci_id.has() && gpu.pci_id->device == id.device;
  });
}

void add_adapter(const DisplayAdapter& adapter, Machine& machine) {
  if (adapter.id.vendor != 0x10de) {
    if (adapter.id.vendor == 0x1002 || adapter.id.vendor == 0x8086) {
      machine.other_gpus.push_back(
          {adapter.id.vendor == 0x1002 ? "AMD" : "Intel", adapter.name, {}});
    }
    return;
  }
  if (is_there(machine, adapter.id)) return;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.name.is(adapter.name)) return;
  }
  Gpu gpu;
  gpu.pci_id = Fact<PciId>::known(adapter.id, kRegistry);
  if (!adapter.name.empty()) gpu.name = Fact<std::string>::known(adapter.name, kRegistry);
  machine.gpus.push_back(std::move(gpu));
}

std::string output_of(const Host& host, std::vector<std::string> argv) {
  Result<CommandResult> result = host.run({.argv = std::move(argv), .env = {}});
  return result && !result->timed_out ? result->out : std::string();
}

// The PCI devices by their ids: pnputil (since Windows 10 2004) lists those that are connected, the
// registry also what was taken out.
struct Devices {
  std::vector<PciId> ids;
  std::string source;
};
Devices pci_devices(const Host& host) {
  Devices out{parse_windows_pci_ids(output_of(host, {"pnputil", "/enum-devices", "/connected"})),
              "pnputil /enum-devices /connected"};
  if (!out.ids.empty()) return out;
  return {parse_windows_pci_ids(
              output_of(host, {"reg", "query", "HKLM\\SYSTEM\\CurrentControlSet\\Enum\\PCI"})),
          "reg query, PCI devices"};
}

// A card before its driver is installed: no display adapter of NVIDIA's, and an id on the bus that
// the table knows as a GPU's. Others of NVIDIA's are its sound and USB parts, or a card that is too
// new for the table: whether there is one is then not known.
void add_devices(const Devices& devices, const ProbeOptions& options, Machine& machine) {
  bool strange = false;
  for (const PciId& id : devices.ids) {
    if (id.vendor != 0x10de || is_there(machine, id)) continue;
    Gpu gpu;
    gpu.pci_id = Fact<PciId>::known(id, devices.source);
    if (options.chip_of && !options.chip_of(gpu).empty()) {
      machine.gpus.push_back(std::move(gpu));
    } else {
      strange = true;
    }
  }
  const auto count = static_cast<std::int64_t>(devices.ids.size());
  machine.system.pci_devices = strange && machine.gpus.empty()
                                   ? Fact<std::int64_t>::unknown("not told", devices.source)
                                   : Fact<std::int64_t>::known(count, devices.source);
}

// Without a list of the bus the adapters speak, where each says whose it is.
void judge_by_adapters(const std::vector<DisplayAdapter>& adapters, Machine& machine) {
  const bool told =
      !adapters.empty() && std::ranges::none_of(adapters, &DisplayAdapter::maker_unknown);
  const auto count = static_cast<std::int64_t>(adapters.size());
  machine.system.pci_devices = told ? Fact<std::int64_t>::known(count, kRegistry)
                                    : Fact<std::int64_t>::unknown("not told", kRegistry);
}

}  // namespace

void probe_windows(const Host& host, const ProbeOptions& options, Machine& machine) {
  if (!is_windows(machine)) return;
  Driver& driver = machine.driver;
  if (driver.version.has() && !machine.gpus.empty()) return;
  const std::vector<DisplayAdapter> adapters =
      parse_display_adapters(output_of(host, {"reg", "query", kDisplayClass, "/s"}));
  for (const DisplayAdapter& adapter : adapters) {
    add_adapter(adapter, machine);
    if (adapter.id.vendor == 0x10de && !driver.version.has() && !adapter.driver.empty()) {
      driver.version = Fact<DottedVersion>::known(adapter.driver, kRegistry);
    }
  }
  if (machine.gpus.empty()) {
    judge_by_adapters(adapters, machine);
    const Devices devices = pci_devices(host);
    if (!devices.ids.empty()) add_devices(devices, options, machine);
  }
  if (!driver.version.has() && driver.nvml.is_unknown()) {
    bool library = host.exists("C:\\Windows\\System32\\nvcuda.dll");
    driver.version = library
                         ? Fact<DottedVersion>::unknown("nvidia-smi does not answer", "nvidia-smi")
                         : Fact<DottedVersion>::absent("C:\\Windows\\System32\\nvcuda.dll");
  }
}

}  // namespace kernelfit
