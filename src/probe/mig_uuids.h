// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "host/host.h"

namespace kernelfit {

// The UUIDs of all MIG instances, each beside the driver's index of its card; empty where NVML does
// not tell.
struct MigUuids {
  std::vector<std::pair<int, std::string>> uuids;
};
MigUuids mig_uuids(const Host& host);

}  // namespace kernelfit
