// SPDX-License-Identifier: Apache-2.0
// From a judged machine to plans: what doctor and plan do alike.
#pragma once
#include <vector>

#include "cli/context.h"
#include "judge/judge.h"
#include "plan/plan.h"

namespace kernelfit::cli {

// For an environment of the machine, -1 for a fresh one.
Request request_of(const Machine& machine, const Judgement& judgement, int environment);
// The same for the cards that the present driver has not dropped (solve/left_out.h).
Request served_request(const Machine& machine, const Judgement& judgement, int environment,
                       const Knowledge& knowledge);

// What to install, or the question which cards CUDA_VISIBLE_DEVICES shows.
Answer answer_for(const Machine& machine, const Request& request, const Knowledge& knowledge);

PlanOptions plan_options(const Machine& machine, const Judgement& judgement, int environment,
                         const std::string& mirror);

// One for each environment, then one for a fresh one; an environment without a GPU library has the
// fresh one's.
std::vector<Plan> all_plans(const Machine& machine, const Judgement& judgement,
                            const Knowledge& knowledge, const std::string& mirror);

}  // namespace kernelfit::cli
