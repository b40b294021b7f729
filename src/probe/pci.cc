// SPDX-License-Identifier: Apache-2.0
// The cards on the PCI bus, seen without any driver.
//
//   /sys/bus/pci/devices/0000:01:00.0/{vendor,device,class,subsystem_vendor,subsystem_device,
//   current_link_speed,current_link_width,removable,driver -> ../../../bus/pci/drivers/nvidia}
//
// A card has more functions than its GPU (sound, USB); only class 0300 (VGA) and 0302 (3D) compute.
#include <algorithm>

#include "nvidia/lspci.h"
#include "nvidia/pci_text.h"
#include "probe/gpus.h"
#include "probe/nvswitch.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kDevices = "/sys/bus/pci/devices";
constexpr int kNvidia = 0x10de;
constexpr int kVga = 0x0300, kController3d = 0x0302, kOtherBridge = 0x0680;

bool is_gpu_class(int device_class) {
  return device_class == kVga || device_class == kController3d;
}

// "0x10de" -> 0x10de; 0 where it cannot be read
int read_hex(const Host& host, const std::string& path) {
  std::optional<std::uint64_t> number = parse_hex(read_trimmed(host, path));
  return number && *number <= 0xffffffU ? static_cast<int>(*number) : 0;
}
// "0x030200" -> 0x0302
int read_class(const Host& host, const std::string& folder) {
  return read_hex(host, join_path(folder, "class")) >> 8;
}

PciId read_id(const Host& host, const std::string& folder) {
  PciId id;
  id.vendor = read_hex(host, join_path(folder, "vendor"));
  id.device = read_hex(host, join_path(folder, "device"));
  id.subvendor = read_hex(host, join_path(folder, "subsystem_vendor"));
  id.subdevice = read_hex(host, join_path(folder, "subsystem_device"));
  return id;
}

Fact<std::string> read_bound_driver(const Host& host, const std::string& folder) {
  std::string path = join_path(folder, "driver");
  Result<std::string> link = host.read_link(path);
  if (link) return Fact<std::string>::known(printable(base_name(*link)), path);
  return fact_of_error<std::string>(link.error(), path);
}

// "16.0 GT/s PCIe" and "16" -> "16.0 GT/s x16". A card that rests runs at less than it can.
Fact<std::string> read_link_speed(const Host& host, const std::string& folder) {
  std::string path = join_path(folder, "current_link_speed");
  std::string speed = replace_all(read_trimmed(host, path), " PCIe", "");
  std::string width = read_trimmed(host, join_path(folder, "current_link_width"));
  if (!contains(speed, "GT/s") || width.empty() || width == "0") {
    return Fact<std::string>::unknown("not told", path);
  }
  return Fact<std::string>::known(speed + " x" + width, path);
}

// Intel's Thunderbolt bridges, for kernels before 5.13, which have no file `removable` (pci.ids).
constexpr int kThunderboltBridges[] = {0x1513, 0x151a, 0x151b, 0x1547, 0x1549, 0x1567, 0x1569,
                                       0x156b, 0x156d, 0x1576, 0x1578, 0x157e, 0x15c0, 0x15d3,
                                       0x15da, 0x15e7, 0x15ea, 0x15ef, 0x1136, 0x0b26};

bool is_thunderbolt_bridge(const Host& host, std::string_view address) {
  PciId id = read_id(host, join_path(kDevices, address));
  return id.vendor == 0x8086 &&
         std::ranges::find(kThunderboltBridges, id.device) != std::end(kThunderboltBridges);
}

// The link leads through the bridges: …/0000:00:1c.4/0000:04:00.0/0000:05:01.0/0000:07:00.0
bool is_external(const Host& host, const std::string& folder) {
  std::string removable = read_trimmed(host, join_path(folder, "removable"));
  if (!removable.empty()) return removable == "removable";
  Result<std::string> link = host.read_link(folder);
  if (!link) return false;
  std::vector<std::string_view> parts = split(*link, '/');
  if (!parts.empty()) parts.pop_back();
  return std::ranges::any_of(parts, [&](std::string_view part) {
    return !normal_pci_address(part).empty() && is_thunderbolt_bridge(host, part);
  });
}

void add_nvidia(const Host& host, const std::string& folder, const PciId& id, Machine& machine) {
  Gpu& gpu = gpu_at(machine, normal_pci_address(base_name(folder)), folder);
  gpu.pci_id = Fact<PciId>::known(id, folder);
  gpu.bound_driver = read_bound_driver(host, folder);
  gpu.link = read_link_speed(host, folder);
  gpu.external = is_external(host, folder);
}

// Servers' screens (ASPEED, Matrox) and virtual ones compute nothing and are not told.
std::string_view vendor_name(int vendor) {
  switch (vendor) {
    case 0x1002: return "AMD";
    case 0x8086: return "Intel";
    case 0x1ed5: return "Moore Threads";
    case 0x19e5: return "Huawei";
    case 0x1d17: return "Zhaoxin";
    case 0x106b: return "Apple";
    default: return {};
  }
}

void add_other(const PciId& id, const std::string& name, const std::string& address,
               Machine& machine) {
  std::string_view vendor = vendor_name(id.vendor);
  if (vendor.empty()) return;
  machine.other_gpus.push_back({std::string(vendor), name.empty() ? id.text() : name, address});
}

void read_sysfs(const Host& host, const std::vector<DirEntry>& entries, Machine& machine) {
  for (const DirEntry& entry : entries) {
    std::string folder = join_path(kDevices, entry.name);
    int device_class = read_class(host, folder);
    bool display = device_class >> 8 == 0x03 || device_class >> 8 == 0x12;
    if (!display || normal_pci_address(entry.name).empty()) continue;
    PciId id = read_id(host, folder);
    if (id.vendor != kNvidia) {
      add_other(id, {}, normal_pci_address(entry.name), machine);
    } else if (is_gpu_class(device_class)) {
      add_nvidia(host, folder, id, machine);
    }
  }
}

bool is_gpu(const LspciDevice& device) {
  if (device.device_class >= 0) return is_gpu_class(device.device_class);
  return device.kind == "VGA compatible controller" || device.kind == "3D controller";
}

Result<std::vector<LspciDevice>> run_lspci(const Host& host) {
  KF_TRY(CommandResult result, host.run({.argv = {"lspci", "-nnk", "-d", "10de:"}, .env = {}}));
  if (result.timed_out) return error(ErrorKind::timeout, "lspci did not answer in 5 s");
  return parse_lspci(result.out);
}

void read_lspci(const Host& host, const Error& why, Machine& machine) {
  Result<std::vector<LspciDevice>> devices = run_lspci(host);
  if (!devices) {
    // A machine without a PCI bus has neither the folder nor, mostly, the program.
    if (why.kind != ErrorKind::not_found) machine.problems.push_back("PCI: " + why.text());
    return;
  }
  // lspci was asked for NVIDIA's devices only.
  auto count = static_cast<std::int64_t>(devices->size());
  machine.system.pci_devices = Fact<std::int64_t>::known(count, "lspci");
  for (const LspciDevice& device : *devices) {
    if (device.id.vendor != kNvidia || !is_gpu(device)) continue;
    Gpu& gpu = gpu_at(machine, device.address, "lspci");
    if (device.id.device != 0) gpu.pci_id = Fact<PciId>::known(device.id, "lspci");
    if (!device.name.empty()) gpu.name = Fact<std::string>::known(device.name, "lspci");
    gpu.bound_driver = device.bound_driver.empty()
                           ? Fact<std::string>::absent("lspci")
                           : Fact<std::string>::known(device.bound_driver, "lspci");
  }
}

}  // namespace

void probe_pci(const Host& host, const ProbeOptions&, Machine& machine) {
  if (is_windows(machine) || is_wsl(machine)) return;
  Result<std::vector<DirEntry>> entries = host.list_dir(kDevices);
  if (entries) {
    auto count = static_cast<std::int64_t>(entries->size());
    machine.system.pci_devices = Fact<std::int64_t>::known(count, std::string(kDevices));
    return read_sysfs(host, *entries, machine);
  }
  // A Jetson before Thor may have no bus at all.
  if (host.exists(kTegraRelease)) return;
  read_lspci(host, entries.error(), machine);
}

bool has_nvswitch(const Host& host) {
  Result<std::vector<DirEntry>> entries = host.list_dir(kDevices);
  if (entries) {
    return std::ranges::any_of(*entries, [&](const DirEntry& entry) {
      std::string folder = join_path(kDevices, entry.name);
      return read_class(host, folder) == kOtherBridge &&
             read_hex(host, join_path(folder, "vendor")) == kNvidia;
    });
  }
  Result<std::vector<LspciDevice>> devices = run_lspci(host);
  return devices && std::ranges::any_of(*devices, [](const LspciDevice& device) {
           return device.id.vendor == kNvidia && device.device_class == kOtherBridge;
         });
}

}  // namespace kernelfit
