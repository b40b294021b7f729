// SPDX-License-Identifier: Apache-2.0
// NVIDIA's wheels and containers for Jetson boards, and community wheels where their index is
// known.
#pragma once
#include <vector>

#include "plan/python_commands.h"

namespace kernelfit::planning {

std::vector<CommandBlock> jetson_blocks(const Choice& choice, const Request& request,
                                        const PlanOptions& options, const Target& target,
                                        const Knowledge& knowledge);

// Libraries that NVIDIA's wheel loads and a JetPack need not bring: torch/jetson_needs.csv.
std::vector<Said> jetson_needs(const Choice& choice, const Knowledge& knowledge);

}  // namespace kernelfit::planning
