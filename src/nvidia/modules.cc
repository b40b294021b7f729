// SPDX-License-Identifier: Apache-2.0
#include "nvidia/modules.h"

#include "base/text.h"

namespace kernelfit {
namespace {

// modinfo.license: the open modules are "Dual MIT/GPL", the others "NVIDIA".
std::string flavor_of_license(std::string_view license) {
  if (license == "Dual MIT/GPL") return "open";
  if (license == "NVIDIA") return "proprietary";
  return {};
}

void set_field(ModuleInfo& out, std::string_view key, std::string_view value) {
  if (key == "filename") out.file = printable(value);
  if (key == "license") out.flavor = flavor_of_license(value);
  if (key == "version" && out.version.empty()) {
    out.version = DottedVersion::parse(value).value_or(DottedVersion());
  }
  if (key == "vermagic") {
    std::vector<std::string_view> words = split_words(value);
    if (!words.empty()) out.kernel = printable(words[0]);
  }
}

}  // namespace

// nvidia              104091648  71 nvidia_uvm,nvidia_modeset
// nvidia    -2  -2                      (half loaded: modprobe failed in the middle)
std::vector<std::string> parse_loaded_modules(std::string_view text) {
  std::vector<std::string> names;
  for (std::string_view line : lines_of(text)) {
    std::vector<std::string_view> words = split_words(line);
    if (words.size() < 3) continue;
    std::optional<std::int64_t> size = parse_int(words[1]);
    if (!size || *size <= 0 || !parse_int(words[2])) continue;
    names.push_back(printable(words[0]));
  }
  return names;
}

// filename:       /lib/modules/5.15.0-30-generic/updates/dkms/nvidia.ko
// version:        510.73.05
// license:        NVIDIA
// vermagic:       5.15.0-30-generic SMP mod_unload modversions
ModuleInfo parse_modinfo(std::string_view text) {
  ModuleInfo out;
  for (std::string_view line : lines_of(text)) {
    std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    set_field(out, line.substr(0, colon), trim(line.substr(colon + 1)));
  }
  return out;
}

ModuleInfo parse_modinfo_section(std::string_view bytes) {
  ModuleInfo out;
  for (std::string_view entry : split(bytes, '\0')) {
    std::size_t equals = entry.find('=');
    if (equals == entry.npos) continue;
    set_field(out, entry.substr(0, equals), trim(entry.substr(equals + 1)));
  }
  return out;
}

// nvidia, 470.103.01, 5.4.0-105-generic, x86_64: installed
// nvidia/580.173.02, 6.8.0-124-generic, arm64:   installed
// nvidia/580.95.05: added
std::vector<DkmsModule> parse_dkms_status(std::string_view text) {
  std::vector<DkmsModule> modules;
  for (std::string_view line : lines_of(text)) {
    std::size_t colon = line.rfind(':');
    if (colon == line.npos) continue;
    std::vector<std::string_view> state = split_words(line.substr(colon + 1));
    std::vector<std::string_view> parts = split(line.substr(0, colon), ',');
    std::string_view name = trim(parts[0]), version;
    std::size_t kernel_at = 1;
    if (std::size_t slash = name.find('/'); slash != name.npos) {
      version = name.substr(slash + 1);
      name = name.substr(0, slash);
    } else if (parts.size() > 1) {
      version = trim(parts[1]);
      kernel_at = 2;
    }
    std::optional<DottedVersion> number = driver_version_of_package(version);
    if (state.empty() || name.empty() || !number) continue;
    DkmsModule module;
    module.name = printable(name);
    module.version = *number;
    module.state = printable(trim(state[0].substr(0, state[0].find('('))));
    if (parts.size() > kernel_at) module.kernel = printable(trim(parts[kernel_at]));
    modules.push_back(std::move(module));
  }
  return modules;
}

std::optional<bool> parse_mokutil(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    if (trim(line) == "SecureBoot enabled") return true;
    if (trim(line) == "SecureBoot disabled") return false;
  }
  // "This system doesn't support Secure Boot"
  if (contains(text, "doesn't support Secure Boot")) return false;
  return std::nullopt;
}

std::vector<InstalledPackage> parse_dpkg_query(std::string_view text) {
  std::vector<InstalledPackage> packages;
  for (std::string_view line : lines_of(text)) {
    std::vector<std::string_view> words = split_words(line);
    if (words.size() != 2) continue;
    packages.push_back({printable(words[0]), printable(words[1])});
  }
  return packages;
}

std::optional<DottedVersion> driver_version_of_package(std::string_view version) {
  if (std::size_t colon = version.find(':'); colon != version.npos) {
    version = version.substr(colon + 1);
  }
  std::size_t end = version.find_first_not_of("0123456789.");
  version = version.substr(0, end);
  while (version.ends_with('.')) version.remove_suffix(1);
  std::optional<DottedVersion> out = DottedVersion::parse(version);
  if (!out || out->size() < 2) return std::nullopt;
  return out;
}

}  // namespace kernelfit
