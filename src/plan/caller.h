// SPDX-License-Identifier: Apache-2.0
// How an environment's pip and uv are called, and how it is made where it has to be new.
#pragma once
#include <string>
#include <vector>

#include "plan/plan.h"

namespace kernelfit::planning {

struct Caller {
  std::string pip, uv;                // "python -m pip install", "uv pip install"
  std::string pip_remove, uv_remove;  // empty: a new environment has nothing to remove
  std::vector<std::string> pip_make, uv_make;
};

Caller caller_here(const Request& request, const PlanOptions& options);
Caller caller_new(const Choice& choice, const Request& request);

}  // namespace kernelfit::planning
