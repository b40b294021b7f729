// SPDX-License-Identifier: Apache-2.0
#include "cli/planning.h"

#include <algorithm>

#include "solve/left_out.h"

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

bool same_choice(const Answer& a, const Answer& b) {
  if (a.verdict != b.verdict || a.choice.has_value() != b.choice.has_value()) return false;
  return !a.choice ||
         (a.choice->torch == b.choice->torch && a.choice->build_name == b.choice->build_name);
}

}  // namespace

// "Looked, and there is none" is said only where it was possible to look.
Request request_of(const Machine& machine, const Judgement& judgement, int environment) {
  Request request = request_for(machine, judgement, environment);
  request.no_gpu = request.no_gpu && !cards_unknown(machine);
  return request;
}

Request served_request(const Machine& machine, const Judgement& judgement, int environment,
                       const Knowledge& knowledge) {
  Request request = request_of(machine, judgement, environment);
  leave_out_dropped(request, machine, judgement, knowledge);
  return request;
}

// A card that is perhaps not shown: what is right for all of them stands, else the answer would
// turn on which it is.
Answer answer_for(const Machine& machine, const Request& request, const Knowledge& knowledge) {
  Answer answer = solve(request, knowledge);
  if (!visible_unknown(machine) || answer.verdict == PlanVerdict::keep) return answer;
  for (const Card& card : request.cards) {
    Request alone = request;
    alone.cards = {card};
    if (same_choice(solve(alone, knowledge), answer)) continue;
    Answer open;
    open.questions.push_back(
        {"solve.ask.visible", {{"value", *machine.variables.cuda_visible_devices}}});
    return open;
  }
  return answer;
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
  auto plan_for = [&](int environment) {
    Request request = served_request(machine, judgement, environment, knowledge);
    return make_plan(request, answer_for(machine, request, knowledge),
                     plan_options(machine, judgement, environment, mirror), knowledge);
  };
  std::vector<Plan> plans;
  Plan fresh = plan_for(-1);
  for (std::size_t i = 0; i < machine.environments.size(); ++i) {
    const Environment& environment = machine.environments[i];
    // Solving takes a millisecond, and nobody asks about an environment that uses no GPU.
    bool matters = environment.active || !environment.libraries.empty();
    plans.push_back(matters ? plan_for(static_cast<int>(i)) : fresh);
  }
  plans.push_back(std::move(fresh));
  return plans;
}

}  // namespace kernelfit::cli
