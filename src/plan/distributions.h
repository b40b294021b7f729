// SPDX-License-Identifier: Apache-2.0
// Which packages bring a driver branch onto a Linux distribution. A package of another release, or
// on a system whose image holds the kernel modules, does harm: no lines where that is not known.
#pragma once
#include <string>
#include <vector>

#include "version/version.h"

namespace kernelfit::planning {

struct DriverSteps {
  int branch = 0;
  std::string version;  // "580.178.04"
  std::string flavor;   // "open", "proprietary"
  std::string cpu_arch;
  bool limited = false;  // a branch after this one no longer serves a card
};

// What the name of a system says: "Debian GNU/Linux 12 (bookworm)" is debian, 12.
enum class Family {
  none,     // the name is not known
  other,    // a name that no row here knows
  image,    // the kernel modules are part of an image (Silverblue, TrueNAS)
  nixos,    // declared in a configuration file
  classic,  // packages are not known here, NVIDIA's own installer works
  ubuntu,
  debian,
  fedora,
  arch,
  opensuse,
};
struct Distribution {
  Family family = Family::none;
  DottedVersion release;  // empty: rolling, or not said
};
Distribution parse_distribution(std::string_view os_name);

// Empty: this release has no package of this branch, or none that is known.
std::vector<std::string> driver_package_lines(const Distribution& distribution,
                                              const DriverSteps& steps);

// Where the system is not known: one release of each family, with the name to print.
struct NamedDistribution {
  std::string_view name;  // "Ubuntu 24.04"
  Distribution distribution;
};
std::vector<NamedDistribution> common_distributions();

}  // namespace kernelfit::planning
