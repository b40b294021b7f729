// SPDX-License-Identifier: Apache-2.0
// The same plan for a machine without a network: what to fetch elsewhere, then what to install from
// the folder that was carried over.
#pragma once
#include <string>

#include "plan/plan.h"

namespace kernelfit {

// Replaces the commands that need a network, of the choice and of the alternatives; those of a
// driver stay. What has no such form (conda, a Jetson's container) is left without commands, and a
// note says so.
void make_offline(Plan& plan, const Request& request, const PlanOptions& options,
                  const std::string& folder, const Knowledge& knowledge);

}  // namespace kernelfit
