// SPDX-License-Identifier: Apache-2.0
#include "report/next.h"

#include <algorithm>

#include "report/plan_command.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

NextStep of_finding(const DoctorReport& report, const Catalogue& say) {
  NextStep next;
  next.outcome = Outcome::finding;
  const Finding& first = report.findings.front();
  next.code = first.code;
  next.environment = first.subject.environment;
  if (first.fixes.empty()) return next;
  next.text = finding_text(first, report.rules, say).fixes[0];
  next.commands = first.fixes[0].commands;
  return next;
}

std::vector<std::string> first_commands(const std::vector<Plan>& plans, std::size_t index) {
  if (index >= plans.size() || plans[index].commands.empty()) return {};
  return plans[index].commands[0].lines;
}

// The first environment with a library that does not run, the active one first.
int first_unfit_environment(const Situation& situation) {
  int first = -1;
  for (const auto& verdict : situation.judgement.verdicts) {
    bool fails = !runs(verdict.verdict) && verdict.verdict != Verdict::unknown &&
                 !may_be_hidden(situation.machine, verdict.gpu);
    if (fails && (first < 0 || verdict.environment < first)) first = verdict.environment;
  }
  return first;
}

NextStep of_plan(const DoctorReport& report, int environment, const Style& style,
                 const Catalogue& say) {
  const Situation& situation = report.situation;
  auto index = static_cast<std::size_t>(environment);
  const Environment& found = situation.machine.environments[index];
  NextStep next;
  next.outcome = Outcome::plan;
  next.environment = environment;
  next.commands = first_commands(situation.plans, index);
  if (next.commands.empty()) {
    next.text = say("report.next.look", {{"command", plan_command(situation, environment)}});
  } else if (found.path.empty()) {
    next.text = say("report.next.plan-given");
  } else {
    next.text = say("report.next.plan", {{"environment", environment_text(found, style, say)}});
  }
  return next;
}

NextStep of_fresh(const DoctorReport& report, const Catalogue& say) {
  const auto& plans = report.situation.plans;
  NextStep next;
  next.outcome = Outcome::nothing;
  if (!plans.empty()) next.commands = first_commands(plans, plans.size() - 1);
  next.text = next.commands.empty() ? say("report.next.plan-command",
                                          {{"command", plan_command(report.situation, -1)}})
                                    : say("report.next.install");
  return next;
}

// Everything that could be judged runs; whether that is everything is another question.
NextStep of_fits(const DoctorReport& report, const Catalogue& say) {
  if (report.remarks.missing.empty()) return {Outcome::fits, say("report.next.fits"), {}, {}, -1};
  return {Outcome::unknown, say("report.next.fits-in-part"), {}, {}, -1};
}

}  // namespace

NextStep next_step(const DoctorReport& report, const Style& style, const Catalogue& say) {
  const Situation& situation = report.situation;
  if (!report.findings.empty()) return of_finding(report, say);
  if (!report.checks.empty()) return {Outcome::silent, say("report.next.silent"), {}, {}, -1};
  if (cards_unknown(situation.machine)) {
    return {Outcome::unknown, say("report.next.unknown"), {}, {}, -1};
  }
  if (situation.machine.gpus.empty()) {
    return {Outcome::no_gpu, say("report.next.no-gpu"), {}, {}, -1};
  }
  if (int unfit = first_unfit_environment(situation); unfit >= 0) {
    return of_plan(report, unfit, style, say);
  }
  const auto& verdicts = situation.judgement.verdicts;
  if (installed_unknown(situation.machine)) {
    Fill values = {{"command", plan_command(situation, -1)}};
    return {Outcome::unknown, say("report.next.not-told", values), {}, {}, -1};
  }
  if (verdicts.empty()) return of_fresh(report, say);
  // A part of torch is shown where it fails: by itself it neither fits nor leaves anything open.
  bool fits = std::all_of(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
    const bool silent = is_part_of_torch(verdict.library) && verdict.verdict == Verdict::unknown;
    return silent || runs(verdict.verdict) || is_hidden(situation.machine, verdict.gpu);
  });
  bool in_part = std::any_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) {
    return runs(verdict.verdict) && !is_part_of_torch(verdict.library);
  });
  if (fits || (in_part && !report.remarks.missing.empty())) return of_fits(report, say);
  return {Outcome::unknown, say("report.next.unknown"), {}, {}, -1};
}

}  // namespace kernelfit::report
