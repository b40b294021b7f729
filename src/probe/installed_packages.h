// SPDX-License-Identifier: Apache-2.0
// The driver's packages as dpkg knows them.
#pragma once
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "nvidia/modules.h"

namespace kernelfit {

// not_found where the system has no dpkg.
Result<std::vector<InstalledPackage>> read_driver_packages(const Host& host);

}  // namespace kernelfit
