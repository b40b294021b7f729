// SPDX-License-Identifier: Apache-2.0
// CUDA in WSL 2 serves fewer cards than the Windows driver it goes through.
#pragma once
#include "judge/card.h"

namespace kernelfit {

// How CUDA in WSL 2 stands to a card (libraries/arch.csv, hardware-feature "WSL2 CUDA"): NVIDIA
// names it, it is only reported to work, or it does not.
enum class WslSupport { named, reported, none };
WslSupport wsl_support(const Card& card, const Knowledge& knowledge);

}  // namespace kernelfit
