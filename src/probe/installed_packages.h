// SPDX-License-Identifier: Apache-2.0
// The driver's packages as the system's package manager knows them.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "nvidia/modules.h"

namespace kernelfit {

struct DriverPackages {
  std::string manager;  // "apt", "rpm", "pacman"
  std::string source;   // the program or folder that told
  std::vector<InstalledPackage> packages;
};
// dpkg, rpm or pacman, the first that has any; not_found where the system has none of them.
Result<DriverPackages> read_driver_packages(const Host& host);

}  // namespace kernelfit
