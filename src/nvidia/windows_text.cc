// SPDX-License-Identifier: Apache-2.0
#include "nvidia/windows_text.h"

#include <algorithm>

#include "base/text.h"
#include "nvidia/pci_text.h"

namespace kernelfit {
namespace {

// The hexadecimal number behind `key` in "PCI\VEN_10DE&DEV_2504&SUBSYS_397D1462".
std::uint64_t number_behind(std::string_view text, std::string_view key, std::size_t digits) {
  std::size_t at = text.find(key);
  if (at == text.npos) return 0;
  return parse_hex(text.substr(at + key.size(), digits)).value_or(0);
}

PciId id_of(std::string_view device) {
  std::string text = lower(device);
  PciId id;
  id.vendor = static_cast<int>(number_behind(text, "ven_", 4));
  id.device = static_cast<int>(number_behind(text, "dev_", 4));
  std::uint64_t subsystem = number_behind(text, "subsys_", 8);
  id.subdevice = static_cast<int>(subsystem >> 16);
  id.subvendor = static_cast<int>(subsystem & 0xffffU);
  return id;
}

}  // namespace

std::optional<DottedVersion> nvidia_version_of_windows(std::string_view version) {
  std::optional<DottedVersion> number = DottedVersion::parse(trim(version));
  if (!number || number->size() != 4) return std::nullopt;
  std::string digits = std::to_string(number->part(3));
  digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
  digits = std::to_string(number->part(2) % 10) + digits;  // "5" + "6094"
  return DottedVersion::parse(digits.substr(0, 3) + "." + digits.substr(3));
}

// HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-…}\0000
//     DriverDesc    REG_SZ    NVIDIA GeForce RTX 3060
//     MatchingDeviceId    REG_SZ    PCI\VEN_10DE&DEV_2504&SUBSYS_397D1462
//     DriverVersion    REG_SZ    32.0.15.6094
std::vector<DisplayAdapter> parse_display_adapters(std::string_view text) {
  std::vector<DisplayAdapter> adapters;
  DisplayAdapter current;
  std::string windows_version;
  auto finish = [&] {
    if (current.id.vendor == 0x10de) {
      current.driver = nvidia_version_of_windows(windows_version).value_or(DottedVersion());
    }
    if (current.id.device != 0 || current.maker_unknown) adapters.push_back(current);
    current = DisplayAdapter();
    current.id.vendor = 0;
    windows_version.clear();
  };
  current.id.vendor = 0;
  for (std::string_view line : lines_of(text)) {
    if (line.starts_with("HKEY_")) {
      // Sub-keys of an adapter (…\0000\UMD) belong to it.
      std::string_view last = line.substr(line.rfind('\\') + 1);
      if (parse_int(last)) finish();
      continue;
    }
    std::size_t type = line.find("REG_SZ");
    if (type == line.npos) continue;
    std::string_view key = trim(line.substr(0, type));
    std::string_view value = trim(line.substr(type + 6));
    if (key == "DriverDesc") current.name = printable(plain_gpu_name(value));
    if (key == "MatchingDeviceId") {
      current.id = id_of(value);
      current.maker_unknown = current.id.device == 0 && lower(value).starts_with("pci\\");
    }
    if (key == "DriverVersion") windows_version = value;
  }
  finish();
  return adapters;
}

std::vector<PciId> parse_windows_pci_ids(std::string_view text) {
  std::vector<PciId> ids;
  const std::string all = lower(text);
  for (std::size_t at = all.find("ven_"); at != std::string::npos; at = all.find("ven_", at + 4)) {
    const std::size_t end = all.find_first_of(" \t\r\n\\\"", at);
    const PciId id = id_of(std::string_view(all).substr(at, end - at));
    if (id.vendor != 0 && id.device != 0 && std::ranges::find(ids, id) == ids.end())
      ids.push_back(id);
  }
  return ids;
}

}  // namespace kernelfit
