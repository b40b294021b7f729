// SPDX-License-Identifier: Apache-2.0
// The kernel module: which driver is loaded, and which one the running kernel could load.
#include <algorithm>

#include "nvidia/modules.h"
#include "nvidia/pci_text.h"
#include "nvidia/proc_driver.h"
#include "probe/gpus.h"
#include "probe/module_on_disk.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kModules = "/proc/modules";
constexpr std::string_view kSysModule = "/sys/module";
constexpr std::string_view kProcVersion = "/proc/driver/nvidia/version";
constexpr std::string_view kSysVersion = "/sys/module/nvidia/version";
constexpr std::string_view kGpus = "/proc/driver/nvidia/gpus";

Fact<bool> read_loaded(const Host& host, const std::vector<std::string>& names) {
  Result<std::string> text = host.read_file(kModules);
  if (text) {
    std::vector<std::string> loaded = parse_loaded_modules(*text);
    bool found = std::ranges::any_of(names, [&](const std::string& name) {
      return std::ranges::find(loaded, name) != loaded.end();
    });
    return Fact<bool>::known(found, std::string(kModules));
  }
  // A kernel without loadable modules, or a /proc that hides them.
  for (const std::string& name : names) {
    std::string folder = join_path(kSysModule, name);
    if (host.is_dir(folder)) return Fact<bool>::known(true, folder);
  }
  if (host.is_dir(kSysModule)) return Fact<bool>::known(false, std::string(kSysModule));
  return Fact<bool>::unknown(text.error().text(), std::string(kModules));
}

void read_proc_version(const Host& host, Machine& machine) {
  Driver& driver = machine.driver;
  Result<std::string> text = host.read_file(kProcVersion);
  Result<ModuleVersion> parsed =
      text ? parse_proc_version(*text) : Result<ModuleVersion>(tl::unexpected(text.error()));
  if (parsed) {
    driver.version = Fact<DottedVersion>::known(parsed->version, std::string(kProcVersion));
    driver.flavor =
        Fact<std::string>::known(parsed->open ? "open" : "proprietary", std::string(kProcVersion));
    driver.module_loaded = Fact<bool>::known(true, std::string(kProcVersion));
    return;
  }
  // A file that is there and cannot be used is worth a line, whatever else answers.
  if (text || text.error().kind != ErrorKind::not_found) {
    std::string what = parsed.error().text();
    bool named = contains(what, kProcVersion);
    machine.problems.push_back(named ? what : std::string(kProcVersion) + ": " + what);
  }
  if (auto version = DottedVersion::parse(read_trimmed(host, kSysVersion))) {
    driver.version = Fact<DottedVersion>::known(*version, std::string(kSysVersion));
    return;
  }
  if (driver.module_loaded.is(false)) {
    driver.version = Fact<DottedVersion>::absent(driver.module_loaded.source());
  } else {
    driver.version = Fact<DottedVersion>::unknown(parsed.error().text(), std::string(kProcVersion));
  }
}

void read_other_module(const Host& host, Driver& driver) {
  for (std::string_view name : {"nouveau", "nova_core"}) {
    if (!read_loaded(host, {std::string(name)}).is(true)) continue;
    driver.other_module = Fact<std::string>::known(std::string(name), std::string(kModules));
    return;
  }
  driver.other_module = Fact<std::string>::absent(std::string(kModules));
}

// A container may show the cards here and no bus.
void read_cards(const Host& host, Machine& machine) {
  Result<std::vector<DirEntry>> entries = host.list_dir(kGpus);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    std::string path = join_path(join_path(kGpus, entry.name), "information");
    Result<std::string> text = host.read_file(path);
    GpuInformation card = parse_gpu_information(text ? *text : "");
    std::string address = normal_pci_address(entry.name);
    if (address.empty()) address = card.pci_address;
    if (address.empty()) continue;
    Gpu& gpu = gpu_at(machine, address, path);
    if (!card.name.empty()) gpu.name = Fact<std::string>::known(card.name, path);
    if (!card.uuid.empty()) gpu.uuid = Fact<std::string>::known(card.uuid, path);
    if (!gpu.bound_driver.has()) gpu.bound_driver = Fact<std::string>::known("nvidia", path);
  }
}

}  // namespace

void probe_module(const Host& host, const ProbeOptions&, Machine& machine) {
  Driver& driver = machine.driver;
  if (is_windows(machine) || is_wsl(machine)) {
    std::string where = is_wsl(machine) ? "WSL: the driver is Windows'" : "Windows";
    driver.module_loaded = Fact<bool>::absent(where);
    driver.flavor = Fact<std::string>::absent(where);
    driver.module_on_disk = Fact<DottedVersion>::absent(where);
    driver.dkms = Fact<std::string>::absent(where);
    driver.other_module = Fact<std::string>::absent(where);
    return;
  }
  // Jetson's GPU is served by nvgpu up to Orin, by nvidia since Thor.
  driver.module_loaded =
      read_loaded(host, is_jetson(machine) ? std::vector<std::string>{"nvidia", "nvgpu"}
                                           : std::vector<std::string>{"nvidia"});
  read_proc_version(host, machine);
  read_other_module(host, driver);
  read_cards(host, machine);
  read_module_on_disk(host, machine);
}

}  // namespace kernelfit
