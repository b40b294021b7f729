// SPDX-License-Identifier: Apache-2.0
// The choice for cards that are known: does what is installed do, is there a build as things are,
// with another driver, with another Python, without the wish; else why not.
#pragma once
#include "solve/solve.h"

namespace kernelfit::solving {

// Every card has a capability and no variants.
Answer solve_for_known_cards(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit::solving
