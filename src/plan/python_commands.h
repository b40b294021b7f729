// SPDX-License-Identifier: Apache-2.0
// pip, uv and conda: the commands that install a build, or put right what is installed.
//
// pip and uv treat `torch` and `torch==2.13.0` as satisfied by 2.13.0+anything that is there; an
// exact local version (`torch==2.13.0+cu126`) is not, so it replaces another build without force.
// tests/pip_truth_test.py holds both to it.
#pragma once
#include <vector>

#include "plan/plan.h"

namespace kernelfit::planning {

// What a set of commands is for.
struct Target {
  bool new_environment = false;  // another Python: an environment is made first
  bool clean = false;            // an environment that is known to hold no torch
  bool damaged = false;
  DottedVersion python;  // that files are named for
};

std::vector<CommandBlock> install_blocks(const Choice& choice, const Request& request,
                                         const PlanOptions& options, const Target& target,
                                         const Knowledge& knowledge);
// Only the packages that are wrong, those of one source in one command.
std::vector<CommandBlock> component_blocks(const std::vector<Answer::Component>& components,
                                           const Choice& torch, const Request& request,
                                           const PlanOptions& options, const Knowledge& knowledge);
// The CPU build, where nothing else can run.
std::vector<CommandBlock> cpu_blocks(const Request& request, const PlanOptions& options,
                                     const Knowledge& knowledge);

}  // namespace kernelfit::planning
