// SPDX-License-Identifier: Apache-2.0
// What one host cannot do for its cards whatever torch is installed: two flavours of the kernel
// module, driver branches that do not meet, CUDA in WSL for what is older than WSL serves.
#pragma once
#include <optional>
#include <vector>

#include "solve/solve.h"

namespace kernelfit {

// How CUDA in WSL 2 stands to a card (libraries/arch.csv, hardware-feature "WSL2 CUDA"): NVIDIA
// names it, it is only reported to work, or it does not.
enum class WslSupport { named, reported, none };
WslSupport wsl_support(const Card& card, const Knowledge& knowledge);

// Cards that no driver serves together on this system; a single card only where WSL refuses it.
std::optional<Conflict> host_conflict(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit
