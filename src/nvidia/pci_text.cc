// SPDX-License-Identifier: Apache-2.0
#include "nvidia/pci_text.h"

#include "base/text.h"
#include "nvidia/smi_values.h"

namespace kernelfit {
namespace {

bool all_hex(std::string_view text) {
  return !text.empty() && text.size() <= 8 && parse_hex(text).has_value() &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// Domains have four digits in sysfs, more where they need them; NVML pads to eight.
std::string normal_domain(std::string_view domain) {
  std::string out = lower(domain);
  while (out.size() > 4 && out.front() == '0') out.erase(0, 1);
  return std::string(out.size() < 4 ? 4 - out.size() : 0, '0') + out;
}

}  // namespace

std::string normal_pci_address(std::string_view text) {
  text = trim(text);
  std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() == 2) parts.insert(parts.begin(), "0000");
  if (parts.size() != 3 || !all_hex(parts[0]) || parts[1].size() != 2 || !all_hex(parts[1]))
    return {};
  std::string_view device = parts[2];
  // Xid lines name a card without its function: "PCI:0000:9b:00".
  std::string_view function = "0";
  if (std::size_t dot = device.find('.'); dot != device.npos) {
    function = device.substr(dot + 1);
    device = device.substr(0, dot);
  }
  if (device.size() != 2 || !all_hex(device) || function.size() != 1 || !all_hex(function))
    return {};
  return normal_domain(parts[0]) + ":" + lower(parts[1]) + ":" + lower(device) + "." +
         lower(function);
}

std::optional<PciId> parse_pci_id_pair(std::string_view device, std::string_view subsystem) {
  std::optional<std::uint64_t> id = parse_hex(trim(device));
  if (!id || *id > 0xffffffffU || (*id & 0xffffU) != 0x10deU || (*id >> 16) == 0)
    return std::nullopt;
  PciId out;
  out.device = static_cast<int>(*id >> 16);
  std::optional<std::uint64_t> sub = parse_hex(trim(subsystem));
  if (sub && *sub <= 0xffffffffU) {
    out.subdevice = static_cast<int>(*sub >> 16);
    out.subvendor = static_cast<int>(*sub & 0xffffU);
  }
  return out;
}

std::string plain_gpu_name(std::string_view text) {
  text = trim(text);
  while (text.starts_with("NVIDIA ") || text.starts_with("nVidia ")) text = trim(text.substr(7));
  if (text.ends_with(" (nvgpu)")) text = trim(text.substr(0, text.size() - 8));
  if (text == "Graphics Device" || text == "Unknown" || text == "NVIDIA") return {};
  return std::string(smi_value(text).value_or(""));
}

}  // namespace kernelfit
