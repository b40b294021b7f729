// SPDX-License-Identifier: Apache-2.0
// Jetson: the L4T release, the JetPack it belongs to, and the GPU inside the chip, which is on no
// bus.
#include "nvidia/modules.h"
#include "nvidia/tegra.h"
#include "probe/installed_packages.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

std::optional<TegraChip> read_chip(const Host& host, const std::vector<TegraChip>& chips,
                                   std::string& source) {
  for (std::string_view path :
       {"/proc/device-tree/compatible", "/sys/firmware/devicetree/base/compatible"}) {
    Result<std::string> text = host.read_file(path);
    if (!text) continue;
    source = std::string(path);
    if (auto chip = parse_device_tree_compatible(*text, chips)) return chip;
  }
  return std::nullopt;
}

const InstalledPackage* find_package(const std::vector<InstalledPackage>& packages,
                                     std::string_view name) {
  for (const InstalledPackage& package : packages) {
    if (package.name == name) return &package;
  }
  return nullptr;
}

void set_l4t(System& system, const DottedVersion& l4t, std::string source,
             const std::vector<JetpackRelease>& jetpacks) {
  system.l4t = Fact<std::string>::known(l4t.text(), std::move(source));
  std::string jetpack = jetpack_of_l4t(l4t, jetpacks);
  system.jetpack = jetpack.empty() ? Fact<std::string>::unknown("this L4T release is not known",
                                                                "L4T " + l4t.text())
                                   : Fact<std::string>::known(jetpack, "L4T " + l4t.text());
}

void read_release(const Host& host, const std::vector<JetpackRelease>& jetpacks, System& system) {
  Result<std::string> text = host.read_file(kTegraRelease);
  std::optional<DottedVersion> l4t = text ? parse_nv_tegra_release(*text) : std::nullopt;
  if (l4t) return set_l4t(system, *l4t, std::string(kTegraRelease), jetpacks);
  Result<DriverPackages> found = read_driver_packages(host);
  if (!found) return;
  if (const InstalledPackage* core = find_package(found->packages, "nvidia-l4t-core")) {
    if (auto version = parse_l4t_package_version(core->version)) {
      set_l4t(system, *version, "dpkg-query nvidia-l4t-core", jetpacks);
    }
  }
}

// Thor's GPU is on PCI too; Orin's and older ones only in the device tree.
void add_gpu(const TegraChip& chip, const std::string& source, Machine& machine) {
  Gpu gpu;
  bool on_bus = machine.gpus.size() == 1;
  Gpu& target = on_bus ? machine.gpus[0] : gpu;
  if (!target.name.has()) target.name = Fact<std::string>::known(chip.name, source);
  if (!target.compute_capability.has()) {
    target.compute_capability = Fact<ComputeCapability>::known(chip.capability, source);
  }
  if (on_bus) return;
  gpu.pci_address = Fact<std::string>::absent("part of the chip, on no bus");
  gpu.pci_id = Fact<PciId>::absent("part of the chip, on no bus");
  machine.gpus.push_back(std::move(gpu));
}

}  // namespace

void probe_jetson(const Host& host, const ProbeOptions& options, Machine& machine) {
  System& system = machine.system;
  std::string source;
  std::optional<TegraChip> chip;
  bool could_be = !is_windows(machine) && !system.cpu_arch.is("x86_64");
  if (could_be) chip = read_chip(host, options.tegra_chips, source);
  if (!chip && !(could_be && host.exists(kTegraRelease))) {
    system.l4t = Fact<std::string>::absent(std::string(kTegraRelease));
    system.jetpack = Fact<std::string>::absent(std::string(kTegraRelease));
    return;
  }
  system.l4t = Fact<std::string>::unknown("could not be read", std::string(kTegraRelease));
  system.jetpack = Fact<std::string>::unknown("the L4T release is not known");
  read_release(host, options.jetpacks, system);
  if (chip) add_gpu(*chip, source, machine);
}

}  // namespace kernelfit
