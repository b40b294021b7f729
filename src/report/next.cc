// SPDX-License-Identifier: Apache-2.0
#include "report/next.h"

#include <algorithm>

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
                 !is_hidden(situation.machine, verdict.gpu);
    if (fails && (first < 0 || verdict.environment < first)) first = verdict.environment;
  }
  return first;
}

NextStep of_plan(const DoctorReport& report, int environment, const Style& style,
                 const Catalogue& say) {
  const Situation& situation = report.situation;
  auto index = static_cast<std::size_t>(environment);
  NextStep next;
  next.outcome = Outcome::plan;
  next.environment = environment;
  next.commands = first_commands(situation.plans, index);
  std::string where = environment_text(situation.machine.environments[index], style, say);
  std::string key = next.commands.empty() ? "report.next.look" : "report.next.plan";
  next.text = say(key, {{"environment", where}});
  return next;
}

NextStep of_fresh(const DoctorReport& report, const Catalogue& say) {
  const auto& plans = report.situation.plans;
  NextStep next;
  next.outcome = Outcome::nothing;
  if (!plans.empty()) next.commands = first_commands(plans, plans.size() - 1);
  next.text = say(next.commands.empty() ? "report.next.plan-command" : "report.next.install");
  return next;
}

}  // namespace

NextStep next_step(const DoctorReport& report, const Style& style, const Catalogue& say) {
  const Situation& situation = report.situation;
  if (!report.findings.empty()) return of_finding(report, say);
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
  if (verdicts.empty()) return of_fresh(report, say);
  bool fits = std::all_of(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
    return runs(verdict.verdict) || is_hidden(situation.machine, verdict.gpu);
  });
  if (fits) return {Outcome::fits, say("report.next.fits"), {}, {}, -1};
  return {Outcome::unknown, say("report.next.unknown"), {}, {}, -1};
}

}  // namespace kernelfit::report
