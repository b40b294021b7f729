// SPDX-License-Identifier: Apache-2.0
#include "nvidia/lspci.h"

#include "base/text.h"
#include "nvidia/pci_text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxDevices = 4096;

// The last "[1234]" or "[10de:2504]" of the text whose inside `fits`; with its position.
struct Bracket {
  std::size_t at = std::string_view::npos;
  std::string_view inside;
};
template <typename Fits>
Bracket last_bracket(std::string_view text, Fits fits) {
  for (std::size_t end = text.rfind(']'); end != text.npos && end > 0;
       end = text.rfind(']', end - 1)) {
    std::size_t open = text.rfind('[', end);
    if (open == text.npos) break;
    std::string_view inside = text.substr(open + 1, end - open - 1);
    if (fits(inside)) return {open, inside};
  }
  return {};
}

bool is_class(std::string_view text) {
  return text.size() == 4 && parse_hex(text).has_value();
}
bool is_id(std::string_view text) {
  return text.size() == 9 && text[4] == ':' && is_class(text.substr(0, 4)) &&
         is_class(text.substr(5));
}
PciId id_of(std::string_view text) {
  PciId id;
  id.vendor = static_cast<int>(parse_hex(text.substr(0, 4)).value_or(0));
  id.device = static_cast<int>(parse_hex(text.substr(5)).value_or(0));
  return id;
}

// 07:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA106 [GeForce RTX 3060] [10de:2504]
// (rev a1)
std::optional<LspciDevice> device_line(std::string_view line) {
  std::size_t space = line.find(' ');
  if (space == line.npos) return std::nullopt;
  LspciDevice out;
  out.address = normal_pci_address(line.substr(0, space));
  std::size_t colon = line.find(": ", space);
  if (out.address.empty() || colon == line.npos) return std::nullopt;
  std::string_view kind = line.substr(space + 1, colon - space - 1);
  std::string_view rest = line.substr(colon + 2);
  if (Bracket found = last_bracket(kind, is_class); found.at != kind.npos) {
    out.device_class = static_cast<int>(parse_hex(found.inside).value_or(0));
    kind = trim(kind.substr(0, found.at));
  }
  out.kind = printable(kind);
  out.id.vendor = contains(lower(rest), "nvidia corporation") ? 0x10de : 0;
  if (Bracket found = last_bracket(rest, is_id); found.at != rest.npos) {
    out.id = id_of(found.inside);
    rest = trim(rest.substr(0, found.at));
  } else if (std::size_t at = rest.find(" Device "); at != rest.npos) {
    // Without -nn a card that pci.ids does not know: "NVIDIA Corporation Device 2bb5 (rev a1)"
    std::vector<std::string_view> words = split_words(rest.substr(at + 8));
    if (!words.empty() && is_class(words[0]))
      out.id.device = static_cast<int>(*parse_hex(words[0]));
  }
  auto any = [](std::string_view inside) { return !inside.empty(); };
  out.name = printable(plain_gpu_name(last_bracket(rest, any).inside));
  return out;
}

void detail_line(std::string_view line, LspciDevice& device) {
  line = trim(line);
  if (auto driver = line_value(line, "Kernel driver in use:")) {
    device.bound_driver = printable(*driver);
  } else if (auto modules = line_value(line, "Kernel modules:")) {
    for (std::string_view name : split(*modules, ',')) {
      device.modules.push_back(printable(trim(name)));
    }
  } else if (line.starts_with("Subsystem:")) {
    if (Bracket found = last_bracket(line, is_id); found.at != line.npos) {
      PciId sub = id_of(found.inside);
      device.id.subvendor = sub.vendor;
      device.id.subdevice = sub.device;
    }
  }
}

}  // namespace

std::vector<LspciDevice> parse_lspci(std::string_view text) {
  std::vector<LspciDevice> devices;
  for (std::string_view line : lines_of(text)) {
    if (std::optional<LspciDevice> device = device_line(line)) {
      if (devices.size() == kMaxDevices) break;
      devices.push_back(std::move(*device));
    } else if (!devices.empty()) {
      detail_line(line, devices.back());
    }
  }
  return devices;
}

}  // namespace kernelfit
