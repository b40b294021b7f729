// SPDX-License-Identifier: Apache-2.0
#include "nvidia/tegra.h"

#include "base/text.h"

namespace kernelfit {
// # R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64, DATE: Wed Jan  8 …
std::optional<DottedVersion> parse_nv_tegra_release(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    std::size_t r = line.find("# R");
    std::size_t revision = line.find("REVISION:");
    if (r == line.npos || revision == line.npos || revision < r) continue;
    std::string_view major = line.substr(r + 3);
    major = major.substr(0, major.find_first_not_of("0123456789"));
    std::string_view minor = line.substr(revision + 9);
    minor = trim(minor.substr(0, minor.find(',')));
    return DottedVersion::parse(std::string(major) + "." + std::string(minor));
  }
  return std::nullopt;
}

std::optional<DottedVersion> parse_l4t_package_version(std::string_view version) {
  return DottedVersion::parse(version.substr(0, version.find('-')));
}

std::string jetpack_of_l4t(const DottedVersion& l4t, std::span<const JetpackRelease> releases) {
  for (const JetpackRelease& release : releases) {
    if (release.l4t == l4t) return release.jetpack;
  }
  return {};
}

std::optional<TegraChip> parse_device_tree_compatible(std::string_view text,
                                                      std::span<const TegraChip> chips) {
  for (std::string_view entry : split(text, '\0')) {
    for (const TegraChip& chip : chips) {
      if (!chip.compatible.empty() && trim(entry) == chip.compatible) return chip;
    }
  }
  return std::nullopt;
}

}  // namespace kernelfit
