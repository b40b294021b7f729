// SPDX-License-Identifier: Apache-2.0
// Jetson boards: torch comes from NVIDIA's wheels and containers, made for one JetPack each.
#pragma once
#include <vector>

#include "solve/solve.h"

namespace kernelfit::solving {

bool is_jetson(const Request& request);  // a JetPack or an L4T release is named

// The rows for this board's JetPack, Python and card, best first: of this very JetPack before an
// older one of its line, NVIDIA's own before community builds, a wheel for this Python before a
// container (which brings its own Python), newest first.
std::vector<const JetsonTorch*> jetson_rows(const Request& request, const Knowledge& knowledge);

bool is_wheel_for(const JetsonTorch& row, const Fact<DottedVersion>& python);
bool is_container(const JetsonTorch& row);
bool is_community(const JetsonTorch& row);

Choice jetson_choice(const JetsonTorch& row, const Request& request);

}  // namespace kernelfit::solving
