// SPDX-License-Identifier: Apache-2.0
// kernelfit doctor: does what is installed here run on the GPUs here?
#include <algorithm>

#include "cli/exit_status.h"
#include "cli/planning.h"
#include "cli/what_if.h"
#include "judge/card.h"
#include "judge/default_build.h"
#include "solve/jetson.h"

namespace kernelfit::cli {
namespace {

// A word of `doctor CHECK…` is a code, a name, or the beginning of codes: "KF1" is all of KF1xxx.
std::optional<Said> expand_check(const std::string& word, const std::vector<Rule>& rules,
                                 std::vector<std::string>& into) {
  std::size_t before = into.size();
  const std::string asked = lower(word);
  std::vector<std::string> known;
  for (const auto& rule : rules) {
    bool named = rule.name == asked || lower(rule.code) == asked;
    bool in_group = asked.starts_with("kf") && lower(rule.code).starts_with(asked);
    if (named || in_group) into.push_back(rule.name);
    known.push_back(rule.name);
    known.push_back(rule.code);
  }
  if (into.size() > before) return {};
  std::string near = nearest(word, known);
  if (near.empty()) return Said{"cli.error.check", {{"check", word}}};
  return Said{"cli.error.check-near", {{"check", word}, {"nearest", near}}};
}

// What a version does not say was taken from a table: the reader may know better.
void add_default_builds(const Machine& machine, std::vector<Said>& notes) {
  for (const auto& environment : machine.environments) {
    for (const auto& library : environment.libraries) {
      if (!is_default_build(library)) continue;
      notes.push_back(
          {"cli.note.default-build",
           {{"library", library.name}, {"version", library.version}, {"build", *library.build}}});
    }
  }
}

// A board and a JetPack that were named and that no build belongs to: `plan` asks which is wrong.
std::optional<Said> apart(const WhatIf& what_if, const Knowledge& knowledge) {
  if (what_if.jetpack.empty()) return std::nullopt;
  Request request;
  request.jetpack = what_if.jetpack;
  for (const Gpu& gpu : what_if.gpus) request.cards.push_back(identify(gpu, knowledge));
  const auto conflict = solving::no_such_board(request, knowledge);
  if (!conflict) return std::nullopt;
  return Said{"cli.error.jetpack-apart",
              {{"jetpack", what_if.jetpack}, {"gpu", conflict->parts.front().value}}};
}

Outcome diagnosed(const Context& context, const WhatIf& what_if, const Machine& machine,
                  const std::vector<Rule>& rules, const std::vector<std::string>& checks) {
  Judgement judgement = judge(machine, context.knowledge);
  auto plans = all_plans(machine, judgement, context.knowledge, context.args.value("mirror"));
  Situation situation{machine, judgement, plans, context.knowledge};
  DoctorReport report{situation, diagnose(situation, rules, checks), {}, checks, rules, {}};
  if (context.args.has("steps")) report.steps = steps(situation, report.findings);
  report.remarks = remarks_of(situation, context.say);
  report.remarks.notes = context.notes;
  add_default_builds(machine, report.remarks.notes);
  if (what_if.cpu_arch == "x86_64") {
    if (auto note = arm_note(what_if)) report.remarks.notes.push_back(*std::move(note));
  }
  return {.status = doctor_status(report),
          .text = render_doctor(report, context.style, context.say),
          .problem = {}};
}

}  // namespace

Outcome cmd_doctor(const Context& context) {
  std::vector<std::string> problems;  // of rule files: only `--knowledge` can bring any
  auto rules = load_rules(context.knowledge, problems);
  if (!problems.empty()) return usage(context, {"cli.error.rules", {{"problem", problems[0]}}});
  if (context.args.has("list")) {
    return {.status = kFits,
            .text = render_checks(rules, context.knowledge, context.style, context.say),
            .problem = {}};
  }
  std::vector<std::string> checks;
  for (const auto& word : context.args.words) {
    if (auto problem = expand_check(word, rules, checks)) return usage(context, *problem);
  }
  auto read = read_what_if(context.args, context.host, context.knowledge);
  if (read.problem) return usage(context, *read.problem);
  // No board, no verdict; `plan` asks, as it does for any card.
  if (!read.what_if.jetpack_boards.empty()) {
    return usage(context, {"cli.error.jetpack-gpu",
                           {{"jetpack", read.what_if.jetpack},
                            {"capabilities", read.what_if.jetpack_boards}}});
  }
  if (auto problem = apart(read.what_if, context.knowledge)) return usage(context, *problem);
  const Machine machine = machine_for(read.what_if, context);
  if (auto problem = environment_problem(read.what_if, machine, context.host)) {
    return usage(context, *problem);
  }
  return diagnosed(context, read.what_if, machine, rules, checks);
}

}  // namespace kernelfit::cli
