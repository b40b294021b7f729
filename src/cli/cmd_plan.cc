// SPDX-License-Identifier: Apache-2.0
// kernelfit plan: what to install for these GPUs, this driver, this Python.
#include <algorithm>

#include "cli/exit_status.h"
#include "cli/paths.h"
#include "cli/planning.h"
#include "cli/what_if.h"
#include "cli/wish.h"
#include "plan/offline.h"
#include "solve/host_conflict.h"

namespace kernelfit::cli {
namespace {

std::optional<Said> read_wish(const Context& context, Wish& wish) {
  std::vector<std::string> words = context.args.words;
  for (const auto& file : context.args.values("requirement")) {
    auto text = context.here.read_file(absolute_path(file, context.here));
    if (!text) return Said{"cli.error.read", {{"file", file}, {"problem", text.error().text()}}};
    for (auto& word : parse_requirements(*text)) words.push_back(std::move(word));
  }
  for (const auto& word : words) {
    if (auto problem = add_wish(word, wish)) return problem;
  }
  return {};
}

// The environment that the plan is for: the one that was named, the active one, or a fresh one.
int environment_for(const Machine& machine, const WhatIf& what_if) {
  if (machine.environments.empty()) return -1;
  bool named = !what_if.environments.empty() || machine.hypothetical;
  return named || machine.environments.front().active || !what_if.installed.empty() ? 0 : -1;
}

std::vector<Plan> variant_plans(const Request& request, const Answer& answer,
                                const PlanOptions& options, const Knowledge& knowledge) {
  std::vector<Plan> out;
  for (const auto& variant : answer.variants) {
    Request one = request;
    one.cards = {variant.card};
    out.push_back(make_plan(one, variant.answer, options, knowledge));
  }
  return out;
}

Remarks remarks_for(const Context& context, const Answer& answer, const Machine& machine,
                    const WhatIf& what_if) {
  Remarks out;
  out.notes = context.notes;
  if (!what_if.arm_card.empty()) out.notes.push_back({"cli.note.arm", {{"gpu", what_if.arm_card}}});
  out.incomplete = answer.verdict == PlanVerdict::ask;
  if (out.incomplete) out.missing = answer.questions;
  for (const auto& problem : machine.problems) {
    out.notes.push_back({"cli.note.problem", {{"problem", problem}}});
  }
  return out;
}

Outcome plan_torch(const Context& context, const WhatIf& what_if, const Machine& machine,
                   const Judgement& judgement) {
  Wish wish;
  if (auto problem = read_wish(context, wish)) return usage(context, *problem);
  int environment = environment_for(machine, what_if);
  Request request = request_of(machine, judgement, environment);
  request.wanted = wish.version;
  request.wanted_build = wish.build;
  request.also = wish.also;
  PlanOptions options = plan_options(machine, judgement, environment, context.args.value("mirror"));
  Plan plan = make_plan(request, solve(request, context.knowledge), options, context.knowledge);
  const std::string folder = context.args.value("offline");
  if (!folder.empty()) make_offline(plan, request, options, folder, context.knowledge);
  std::string path =
      environment < 0 ? "" : machine.environments[static_cast<std::size_t>(environment)].path;
  std::vector<Plan> variants = variant_plans(request, plan.answer, options, context.knowledge);
  for (Plan& variant : variants) {
    if (!folder.empty()) make_offline(variant, request, options, folder, context.knowledge);
  }
  PlanReport report{request,
                    plan,
                    context.knowledge,
                    path,
                    std::move(variants),
                    remarks_for(context, plan.answer, machine, what_if)};
  return {.status = plan_status(plan.answer.verdict),
          .text = render_plan(report, context.style, context.say),
          .problem = {}};
}

// ------------------------------------------------------------ plan driver

// A Jetson's driver is part of its JetPack: there is nothing to install.
bool on_board(const Request& request) {
  return std::any_of(request.cards.begin(), request.cards.end(),
                     [](const Card& card) { return card.tegra; });
}

int driver_status(const DriverPlanReport& report) {
  if (report.request.cards.empty()) return kInPart;
  if (on_board(report.request)) return kFits;
  if (report.conflict) return kDoesNotFit;
  bool serves = runs(report.present) && !report.need.impossible;
  return serves ? kFits : kDoesNotFit;
}

// What each card takes where no driver serves all of them.
std::vector<DriverPlanReport::Alone> each_alone(const Request& request, const DottedVersion& cuda,
                                                const Knowledge& knowledge) {
  std::vector<DriverPlanReport::Alone> out;
  const DriverOs os =
      request.os == "windows" || request.os == "wsl" ? DriverOs::windows : DriverOs::linux;
  for (const Card& card : request.cards) {
    Request alone = request;
    alone.cards = {card};
    const bool told = std::any_of(
        out.begin(), out.end(), [&](const auto& other) { return other.card.label == card.label; });
    if (told || host_conflict(alone, knowledge)) continue;
    const DriverNeed need = driver_needed(cuda, "", false, alone.cards, os, knowledge);
    out.push_back({card, need, driver_to_install(need, os, knowledge)});
  }
  return out;
}

Outcome plan_driver(const Context& context, const WhatIf& what_if, const Machine& machine,
                    const Judgement& judgement) {
  Request request = request_of(machine, judgement, -1);
  DriverOs os = driver_os_of(machine);
  const Knowledge& knowledge = context.knowledge;
  DriverPlanReport report{request, knowledge, what_if.cuda.value_or(DottedVersion()), {}, {}, {},
                          {},      {}};
  const bool board = on_board(request);
  if (!board) report.need = driver_needed(report.cuda, "", false, request.cards, os, knowledge);
  report.present = driver_serves(request.driver, report.need, os, knowledge);
  if (!board) report.conflict = host_conflict(request, knowledge);
  if (report.conflict) report.alone = each_alone(request, report.cuda, knowledge);
  if (!request.cards.empty() && !board && !report.conflict)
    report.driver = driver_to_install(report.need, os, knowledge);
  bool change = report.driver && !runs(report.present);
  if (change) report.commands = driver_commands(request, *report.driver, knowledge);
  report.remarks.notes = context.notes;
  report.remarks.incomplete = request.cards.empty();
  if (report.remarks.incomplete) report.remarks.missing = {{"report.driver-plan.ask", {}}};
  return {.status = driver_status(report),
          .text = render_driver_plan(report, context.style, context.say),
          .problem = {}};
}

}  // namespace

Outcome cmd_plan(const Context& context) {
  auto read = read_what_if(context.args, context.host, context.knowledge);
  if (read.problem) return usage(context, *read.problem);
  if (read.what_if.environments.size() > 1) {
    return usage(context, {"cli.error.once", {{"flag", "--env"}}});
  }
  Machine machine = machine_for(read.what_if, context.host, context.knowledge);
  Judgement judgement = judge(machine, context.knowledge);
  bool driver = context.args.words.size() == 1 && context.args.words[0] == "driver";
  return driver ? plan_driver(context, read.what_if, machine, judgement)
                : plan_torch(context, read.what_if, machine, judgement);
}

}  // namespace kernelfit::cli
