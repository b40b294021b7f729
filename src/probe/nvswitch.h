// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "host/host.h"

namespace kernelfit {

// An NVSwitch is on the PCI bus: NVIDIA's devices of class 0680 (another bridge).
bool has_nvswitch(const Host& host);

}  // namespace kernelfit
