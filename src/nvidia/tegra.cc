// SPDX-License-Identifier: Apache-2.0
#include "nvidia/tegra.h"

#include "base/text.h"

namespace kernelfit {
namespace {

// NVIDIA's JetPack archive and L4T archive. A JetPack belongs to one L4T release.
struct Release {
  std::string_view l4t, jetpack;
};
constexpr Release kReleases[] = {
    {"28.2.1", "3.3"},   {"32.1", "4.2"},     {"32.2", "4.2.1"},   {"32.2.1", "4.2.2"},
    {"32.2.3", "4.2.3"}, {"32.3.1", "4.3"},   {"32.4.2", "4.4"},   {"32.4.3", "4.4"},
    {"32.4.4", "4.4.1"}, {"32.5", "4.5"},     {"32.5.1", "4.5.1"}, {"32.6.1", "4.6"},
    {"32.7.1", "4.6.1"}, {"32.7.2", "4.6.2"}, {"32.7.3", "4.6.3"}, {"32.7.4", "4.6.4"},
    {"32.7.5", "4.6.5"}, {"32.7.6", "4.6.6"}, {"34.1", "5.0"},     {"34.1.1", "5.0.1"},
    {"35.1", "5.0.2"},   {"35.2.1", "5.1"},   {"35.3.1", "5.1.1"}, {"35.4.1", "5.1.2"},
    {"35.5.0", "5.1.3"}, {"35.6.0", "5.1.4"}, {"35.6.1", "5.1.5"}, {"36.2", "6.0"},
    {"36.3", "6.0"},     {"36.4", "6.1"},     {"36.4.3", "6.2"},   {"36.4.4", "6.2.1"},
    {"38.2", "7.0"},     {"38.2.1", "7.0"},   {"38.4", "7.1"},
};

struct Chip {
  std::string_view compatible, name;
  ComputeCapability capability;
};
constexpr Chip kChips[] = {
    {"nvidia,tegra210", "Tegra X1", {5, 3}}, {"nvidia,tegra186", "Tegra X2", {6, 2}},
    {"nvidia,tegra194", "Xavier", {7, 2}},   {"nvidia,tegra234", "Orin", {8, 7}},
    {"nvidia,tegra264", "Thor", {11, 0}},
};

}  // namespace

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

std::string jetpack_of_l4t(const DottedVersion& l4t) {
  for (const Release& release : kReleases) {
    if (dotted(release.l4t) == l4t) return std::string(release.jetpack);
  }
  return {};
}

std::optional<TegraChip> parse_device_tree_compatible(std::string_view text) {
  for (std::string_view entry : split(text, '\0')) {
    for (const Chip& chip : kChips) {
      if (trim(entry) == chip.compatible) return TegraChip{std::string(chip.name), chip.capability};
    }
  }
  return std::nullopt;
}

}  // namespace kernelfit
