// SPDX-License-Identifier: Apache-2.0
// conda: the pytorch channel in its time, conda-forge with the pins it needs. Also what is neither
// pip nor conda alone: building a component again.
#pragma once
#include <vector>

#include "plan/python_commands.h"

namespace kernelfit::planning {

std::vector<CommandBlock> conda_blocks(const Choice& choice, const Request& request,
                                       const PlanOptions& options, const Target& target,
                                       const Knowledge& knowledge);
std::string conda_remove_line(const Request& request, const PlanOptions& options);

// A component without code for the card: from source, for the cards that are there.
std::vector<CommandBlock> rebuild_blocks(const Answer::Component& component, const Request& request,
                                         const std::string& pip);

}  // namespace kernelfit::planning
