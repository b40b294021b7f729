// SPDX-License-Identifier: Apache-2.0
#include "cli/planning.h"

#include <algorithm>

namespace kernelfit::cli {
namespace {

bool is_damaged(const Judgement& judgement, int environment) {
  const auto& verdicts = judgement.verdicts;
  return std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
    return verdict.environment == environment && verdict.library == "torch" &&
           verdict.verdict == Verdict::broken;
  });
}

std::string manager_of(const Environment& environment) {
  const Package* torch = environment.package("torch");
  if (torch != nullptr && !torch->manager.empty()) return torch->manager;
  return environment.kind == "conda" || environment.kind == "uv" ? environment.kind : std::string();
}

}  // namespace

// "Looked, and there is none" is said only where it was possible to look.
Request request_of(const Machine& machine, const Judgement& judgement, int environment) {
  Request request = request_for(machine, judgement, environment);
  request.no_gpu = request.no_gpu && !cards_unknown(machine);
  return request;
}

PlanOptions plan_options(const Machine& machine, const Judgement& judgement, int environment,
                         const std::string& mirror) {
  PlanOptions options;
  options.mirror = mirror;
  if (environment < 0) return options;
  const Environment& found = machine.environments[static_cast<std::size_t>(environment)];
  options.interpreter = found.interpreter.value_or("");
  options.manager = manager_of(found);
  if (found.kind == "conda") options.conda_prefix = found.path;
  options.damaged = is_damaged(judgement, environment);
  return options;
}

std::vector<Plan> all_plans(const Machine& machine, const Judgement& judgement,
                            const Knowledge& knowledge, const std::string& mirror) {
  std::vector<Plan> plans;
  int count = static_cast<int>(machine.environments.size());
  for (int i = 0; i <= count; ++i) {
    int environment = i == count ? -1 : i;
    Request request = request_of(machine, judgement, environment);
    plans.push_back(make_plan(request, solve(request, knowledge),
                              plan_options(machine, judgement, environment, mirror), knowledge));
  }
  return plans;
}

}  // namespace kernelfit::cli
