// SPDX-License-Identifier: Apache-2.0
// kernelfit plan: what to install for these GPUs, this driver, this Python.
#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/online.h"
#include "cli/planning.h"
#include "cli/requirement_files.h"
#include "cli/what_if.h"
#include "cli/wish.h"
#include "plan/offline.h"
#include "solve/host_conflict.h"

namespace kernelfit::cli {
namespace {

std::optional<Said> read_wishes(const Context& context, Wishes& wishes) {
  for (const auto& word : context.args.words) {
    if (auto problem = add_wish(word, wishes)) return problem;
  }
  return read_requirement_files(context, wishes);
}

// The environments that plans are for: those that were named, the active one, or a fresh one (-1).
std::vector<int> environments_for(const Machine& machine, const WhatIf& what_if) {
  if (machine.environments.empty()) return {-1};
  if (!what_if.environments.empty()) {
    std::vector<int> all(machine.environments.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const bool first =
      machine.hypothetical || machine.environments.front().active || !what_if.installed.empty();
  return {first ? 0 : -1};
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

bool is_among(const std::vector<Card>& cards, const Card& card) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const Card& other) { return other.label == card.label; });
}

// Cards that the question left out (request_for). What the driver has dropped is a caveat.
void add_hidden(Remarks& out, const Request& request, const Machine& machine,
                const Judgement& judgement) {
  for (std::size_t i = 0; i < judgement.cards.size(); ++i) {
    const Card& card = judgement.cards[i];
    const bool served = request.cards.size() == judgement.cards.size() ||
                        is_among(request.cards, card) || is_among(request.left_out, card);
    if (served) continue;
    const bool by_variable =
        i < machine.gpus.size() && machine.gpus[i].visible.is(false) && machine.gpus[i].index >= 0;
    out.notes.push_back(
        {by_variable ? "cli.note.hidden-card" : "cli.note.unserved-card", {{"gpu", card.label}}});
  }
}

Remarks remarks_for(const Context& context, const Answer& answer, const Machine& machine,
                    const WhatIf& what_if) {
  Remarks out;
  out.notes = context.notes;
  if (auto note = arm_note(what_if)) out.notes.push_back(*std::move(note));
  out.incomplete = answer.verdict == PlanVerdict::ask;
  if (out.incomplete) out.missing = answer.questions;
  for (const auto& problem : machine.problems) {
    out.notes.push_back({"cli.note.problem", {{"problem", problem}}});
  }
  return out;
}

// What a report looks at has to live as long as it.
struct Planned {
  Request request;
  Plan plan;
  std::string path;
  std::vector<Plan> variants;
  std::vector<Said> notes;
  std::optional<Said> problem;
  bool fault = false;  // torch does not run here until something else is mended
};

// The answer says itself what it leaves out.
bool is_of_left_out(const Finding& finding, const Request& request, const Judgement& judgement) {
  const auto gpu = static_cast<std::size_t>(finding.subject.gpu);
  return finding.subject.gpu >= 0 && gpu < judgement.cards.size() &&
         is_among(request.left_out, judgement.cards[gpu]);
}

// A build that fits is not yet an environment that works: what doctor says first of it. Beside a
// build that is to be installed only what holds for the whole machine (a container without its GPU)
// still stands.
std::optional<Finding> first_problem(const Context& context, const Machine& machine,
                                     const Judgement& judgement, int environment,
                                     const Planned& planned, const std::vector<Rule>& rules) {
  const bool stays = planned.plan.answer.verdict == PlanVerdict::keep;
  const auto plans = all_plans(machine, judgement, context.knowledge, context.args.value("mirror"));
  for (auto& finding : diagnose({machine, judgement, plans, context.knowledge}, rules)) {
    if (is_of_left_out(finding, planned.request, judgement)) continue;
    const int of = finding.subject.environment;
    if (finding.severity == Severity::error && (of < 0 || (stays && of == environment)))
      return finding;
    if (finding.severity == Severity::warning && stays && of == environment) return finding;
  }
  return {};
}

// What the plan changes itself is no problem beside it.
bool may_have_problem(const Machine& machine, const Answer& answer, int environment) {
  if (answer.verdict == PlanVerdict::keep) return environment >= 0;
  const bool installs = answer.verdict == PlanVerdict::install ||
                        answer.verdict == PlanVerdict::reinstall ||
                        answer.verdict == PlanVerdict::fix_component;
  const bool none_loaded =
      answer.verdict == PlanVerdict::update_driver && machine.driver.version.is_absent();
  return (installs || none_loaded) && !machine.hypothetical;
}

// The finding and its best fix, as a caveat: what is to be pasted is in `lines` as well.
Said problem_said(const Finding& finding, const std::vector<Rule>& rules, const Catalogue& say) {
  const Rule* rule = find_rule(rules, finding.code);
  const FindingText text = rule == nullptr ? FindingText() : render_finding(finding, *rule, say);
  std::string fix = text.fixes.empty() ? std::string() : text.fixes.front();
  if (fix.empty()) fix = say("report.plan.doctor-says");
  std::vector<std::string> lines, shown;
  if (!finding.fixes.empty()) {
    const Fix& best = finding.fixes.front();
    lines = best.commands;
    if (!best.when.key.empty()) fix += "; " + say(best.when.key, best.when.values);
  }
  for (const std::string& line : lines) shown.push_back("`" + line + "`");
  return {{},
          {{"code", finding.code},
           {"title", text.title},
           {"fix", shown.empty() ? fix : fix + ": " + join(shown, ", ")},
           {"fix-alone", fix},
           {"lines", join(lines, "\n")},
           {"library", finding.subject.library}}};
}

// "Nothing to install" is no longer the whole truth then; the headline follows the caveat.
void add_problem(Answer& answer, const Finding& finding, const std::vector<Rule>& rules,
                 const Catalogue& say) {
  std::erase_if(answer.why, [](const Said& why) { return why.key.starts_with("solve.why.keep"); });
  const bool error = finding.severity == Severity::error;
  const std::string& part = finding.subject.library;
  Said said = problem_said(finding, rules, say);
  said.key = error ? "report.plan.doctor-error" : "report.plan.doctor-warning";
  if (error && !part.empty() && part != "torch") {  // torch runs, what stands beside it does not
    answer.verdict = PlanVerdict::fix_component;
    said.key = "report.plan.doctor-part";
  }
  answer.caveats.insert(answer.caveats.begin(), std::move(said));
}

// What an index lacks is to be minded. What was asked is no longer "not checked".
void add_online(Planned& planned, const Context& context) {
  for (auto& note : online_notes(planned.plan, planned.request, context)) {
    const bool warns = note.key == "cli.online.has-not" || note.key == "cli.online.withdrawn";
    (warns ? planned.plan.answer.caveats : planned.notes).push_back(std::move(note));
  }
  const auto& commands = planned.plan.commands;
  const bool mirrored =
      std::any_of(commands.begin(), commands.end(),
                  [](const CommandBlock& block) { return block.when.key == "plan.when.mirror"; });
  if (!mirrored) return;
  std::erase_if(planned.plan.notes,
                [](const Said& note) { return note.key == "plan.note.mirror-not-checked"; });
}

// Is the fix the very driver that the plan installs?
bool is_the_plans_own(const Finding& finding, const Plan& plan) {
  if (finding.fixes.empty() || finding.fixes.front().commands.empty()) return false;
  return std::any_of(plan.commands.begin(), plan.commands.end(), [&](const CommandBlock& block) {
    return block.tool == "driver" && block.lines == finding.fixes.front().commands;
  });
}

// What doctor says of the machine goes first. A driver that is there and only not loaded is the one
// to plan for: no other has to be installed.
void add_first_problem(Planned& planned, const Context& context, const Machine& machine,
                       const Judgement& judgement, int environment, const PlanOptions& options) {
  std::vector<std::string> problems;
  const auto rules = load_rules(context.knowledge, problems);
  const PlanVerdict verdict = planned.plan.answer.verdict;
  const auto finding = first_problem(context, machine, judgement, environment, planned, rules);
  if (!finding || is_the_plans_own(*finding, planned.plan)) return;
  const Driver& driver = machine.driver;
  const Fact<DottedVersion>& there =
      driver.module_on_disk.has() ? driver.module_on_disk : driver.library_version;
  if (verdict == PlanVerdict::update_driver && there.has()) {
    planned.request.driver = there;
    planned.plan =
        make_plan(planned.request, answer_for(machine, planned.request, context.knowledge), options,
                  context.knowledge);
  }
  add_problem(planned.plan.answer, *finding, rules, context.say);
  planned.fault = finding->severity == Severity::error;
}

// `--cuda 11.8` is the toolkit that packages are built with: beside a torch, the wish for cu118.
void add_cuda(Planned& planned, const WhatIf& what_if, const Knowledge& knowledge) {
  if (!what_if.cuda) return;
  const std::string build = "cu" + replace_all(what_if.cuda->first(2).text(), ".", "");
  std::string& wanted = planned.request.wanted_build;
  const auto& rows = knowledge.torch_builds();
  const bool exists = std::any_of(rows.begin(), rows.end(),
                                  [&](const TorchBuild& row) { return row.build == build; });
  const Fill values = {
      {"cuda", what_if.cuda->text()}, {"build", exists ? build : ""}, {"named", wanted}};
  if (!wanted.empty() && wanted != build) {
    planned.notes.push_back({"cli.note.cuda-named", values});
  } else if (!exists) {
    planned.notes.push_back({"cli.note.cuda-none", values});
  } else if (wanted.empty()) {
    wanted = build;
    planned.notes.push_back({"cli.note.cuda-build", values});
  }
}

Planned plan_for(const Context& context, const WhatIf& what_if, const Machine& machine,
                 const Judgement& judgement, int environment, const Wishes& wishes) {
  Planned out;
  out.request = served_request(machine, judgement, environment, context.knowledge);
  Granted granted = apply_wishes(wishes, context.knowledge, out.request);
  out.notes = std::move(granted.notes);
  out.problem = std::move(granted.problem);
  if (out.problem) return out;
  add_cuda(out, what_if, context.knowledge);
  const PlanOptions options =
      plan_options(machine, judgement, environment, context.args.value("mirror"));
  out.plan = make_plan(out.request, answer_for(machine, out.request, context.knowledge), options,
                       context.knowledge);
  if (may_have_problem(machine, out.plan.answer, environment))
    add_first_problem(out, context, machine, judgement, environment, options);
  if (context.args.has("online")) add_online(out, context);
  if (environment >= 0) out.path = machine.environments[static_cast<std::size_t>(environment)].path;
  out.variants = variant_plans(out.request, out.plan.answer, options, context.knowledge);
  const std::string folder = context.args.value("offline");
  if (folder.empty()) return out;
  make_offline(out.plan, out.request, options, folder, context.knowledge);
  for (Plan& variant : out.variants) {
    make_offline(variant, out.request, options, folder, context.knowledge);
  }
  return out;
}

Outcome plan_torch(const Context& context, const WhatIf& what_if, const Machine& machine,
                   const Judgement& judgement) {
  Wishes wishes;
  if (auto problem = read_wishes(context, wishes)) return usage(context, *problem);
  std::vector<Planned> planned;
  for (int environment : environments_for(machine, what_if)) {
    planned.push_back(plan_for(context, what_if, machine, judgement, environment, wishes));
    if (planned.back().problem) return usage(context, *planned.back().problem);
  }
  std::vector<PlanReport> reports;
  int status = kFits;
  for (const auto& one : planned) {
    status =
        first_that_counts({status, plan_status(one.plan.answer.verdict),
                           one.fault || one.plan.answer.in_part ? int{kDoesNotFit} : int{kFits}});
    reports.push_back({one.request, one.plan, context.knowledge, one.path, one.variants,
                       remarks_for(context, one.plan.answer, machine, what_if)});
    add_hidden(reports.back().remarks, one.request, machine, judgement);
    auto& notes = reports.back().remarks.notes;
    notes.insert(notes.end(), one.notes.begin(), one.notes.end());
  }
  return {
      .status = status, .text = render_plans(reports, context.style, context.say), .problem = {}};
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
  Machine machine = machine_for(read.what_if, context);
  if (auto problem = environment_problem(read.what_if, machine, context.host)) {
    return usage(context, *problem);
  }
  Judgement judgement = judge(machine, context.knowledge);
  bool driver = context.args.words.size() == 1 && context.args.words[0] == "driver";
  return driver ? plan_driver(context, read.what_if, machine, judgement)
                : plan_torch(context, read.what_if, machine, judgement);
}

}  // namespace kernelfit::cli
