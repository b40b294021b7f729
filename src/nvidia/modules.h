// SPDX-License-Identifier: Apache-2.0
// Texts about kernel modules and how they came onto the machine: lsmod or /proc/modules, modinfo,
// dkms status, mokutil, dpkg-query.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "version/version.h"

namespace kernelfit {

// Names in /proc/modules or lsmod. A module that is stuck half loaded ("nvidia -2 -2") counts not.
std::vector<std::string> parse_loaded_modules(std::string_view text);

struct ModuleInfo {
  std::string file;       // "/lib/modules/5.15.0-30-generic/updates/dkms/nvidia.ko"
  DottedVersion version;  // empty: not told
  std::string flavor;     // "open", "proprietary"; empty: not told
  std::string kernel;     // first word of vermagic
};
ModuleInfo parse_modinfo(std::string_view text);
// The same facts out of the section .modinfo of a .ko file: "version=550.163.01\0license=NVIDIA\0…"
ModuleInfo parse_modinfo_section(std::string_view bytes);

struct DkmsModule {
  std::string name;  // "nvidia"
  DottedVersion version;
  std::string kernel;  // "6.8.0-40-generic"; empty: added, not built for any
  std::string state;   // "installed", "built", "added", "broken"
};
std::vector<DkmsModule> parse_dkms_status(std::string_view text);

std::optional<bool> parse_mokutil(std::string_view text);  // "SecureBoot enabled"

struct InstalledPackage {
  std::string name, version;
};
// dpkg-query -W with the format "${Package} ${Version}\n"; a line without a version is not
// installed.
std::vector<InstalledPackage> parse_dpkg_query(std::string_view text);

// "535.183.01" of Debian's "1:535.183.01-1~deb12u1", of Ubuntu's "510.73.05-0ubuntu0.22.04.1".
std::optional<DottedVersion> driver_version_of_package(std::string_view version);

}  // namespace kernelfit
