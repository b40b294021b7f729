// SPDX-License-Identifier: Apache-2.0
// PyTorch's own images, where the system is too old for every wheel that has code for the cards.
#pragma once
#include <vector>

#include "plan/plan.h"

namespace kernelfit::planning {

// The newest image of torch/ngc_images.csv whose torch runs on all cards with the driver that is
// there: a container brings its own glibc and Python, never a driver. Empty: none, or not known.
std::vector<CommandBlock> container_blocks(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit::planning
