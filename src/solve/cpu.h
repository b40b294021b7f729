// SPDX-License-Identifier: Apache-2.0
// Builds without CUDA: what is asked for by `torch==2.13.0+cpu`, and what is left where no GPU
// serves.
#pragma once
#include <optional>

#include "solve/wish.h"

namespace kernelfit::solving {

// The newest official CPU build that the wish, Python, glibc and platform allow.
const TorchBuild* cpu_build(const Request& request, const Wish& wish, bool any_python,
                            const Knowledge& knowledge);

// Nothing where no CPU build was asked for, or there is none of that version.
std::optional<Choice> cpu_choice(const Request& request, const Knowledge& knowledge);
std::optional<Answer> answer_for_cpu(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit::solving
