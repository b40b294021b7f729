// SPDX-License-Identifier: Apache-2.0
// `plan --online`: what the index, and the mirror, of a plan's commands say of it now. The only
// question of `plan` to the network, asked through the program curl, within a time and a size.
#pragma once
#include <vector>

#include "cli/context.h"
#include "plan/plan.h"

namespace kernelfit::cli {

// Whether it has the files that the commands install, their sizes where the page tells them, and a
// newer torch than the knowledge holds; "not checked" where nothing came.
std::vector<Said> online_notes(const Plan& plan, const Request& request, const Context& context);

}  // namespace kernelfit::cli
