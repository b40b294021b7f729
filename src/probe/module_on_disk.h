// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "host/host.h"
#include "machine/machine.h"

namespace kernelfit {

// Fills Driver::module_on_disk and Driver::dkms for the running kernel, and the flavour where no
// module is loaded that tells it.
void read_module_on_disk(const Host& host, Machine& machine);

}  // namespace kernelfit
