// SPDX-License-Identifier: Apache-2.0
// What one host cannot do for its cards whatever torch is installed: two flavours of the kernel
// module, driver branches that do not meet, CUDA in WSL for what is older than WSL serves.
#pragma once
#include <optional>
#include <vector>

#include "judge/wsl.h"
#include "solve/solve.h"

namespace kernelfit {

// Cards that no driver serves together on this system; a single card only where WSL refuses it.
std::optional<Conflict> host_conflict(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit
