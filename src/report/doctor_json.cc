// SPDX-License-Identifier: Apache-2.0
// docs/contract.md 3, "doctor"; schemas/doctor.schema.json is this file said again.
#include "machine/machine_json.h"
#include "report/doctor.h"
#include "report/json_parts.h"
#include "report/next.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string environment_path(const Situation& situation, int environment) {
  auto index = static_cast<std::size_t>(environment);
  if (environment < 0 || index >= situation.machine.environments.size()) return {};
  return situation.machine.environments[index].path;
}

Json gpus_json(const Situation& situation) {
  Json out = Json::array();
  for (std::size_t i = 0; i < situation.machine.gpus.size(); ++i) {
    Json item = to_json(situation.machine.gpus[i]);
    item.add("card", card_json(situation.judgement.cards[i]));
    out.push(std::move(item));
  }
  return out;
}

Json environments_json(const Situation& situation) {
  return array_json(situation.machine.environments,
                    [](const Environment& one) { return to_json(one); });
}

Json verdict_json(const LibraryVerdict& verdict, const Situation& situation, const Catalogue& say) {
  Json out = Json::object();
  out.add("gpu", text_json(gpu_label(situation, verdict.gpu)));
  out.add("gpu_index", verdict.gpu < 0 ? Json() : Json(verdict.gpu));
  out.add("env", text_json(environment_path(situation, verdict.environment)));
  out.add("library", verdict.library);
  out.add("version", text_json(verdict.version));
  out.add("verdict", text_of(verdict.verdict));
  out.add("reason", text_of(verdict.reason, say));
  out.add("archs", archs_json(verdict.archs));
  out.add("basis", verdict.basis.empty() ? "none" : verdict.basis);
  out.add("source", text_json(verdict.basis_detail));
  out.add("confidence", text_of(verdict.confidence));
  return out;
}

Json evidence_json(const std::vector<Evidence>& evidence, const Catalogue& say) {
  return array_json(evidence, [&](const Evidence& one) {
    Json item = Json::object();
    item.add("what", evidence_label(one, say));
    item.add("value", one.absent ? Json() : Json(one.value));
    item.add("source", text_json(one.source));
    return item;
  });
}

Json fixes_json(const Finding& finding, const FindingText& text, const Catalogue& say) {
  Json out = Json::array();
  for (std::size_t i = 0; i < finding.fixes.size(); ++i) {
    const Fix& fix = finding.fixes[i];
    Json action = Json::object();
    action.add("kind", fix.action_kind);
    action.add("target", text_json(fix.action_target));
    Json item = Json::object();
    item.add("rank", i + 1);
    item.add("action", std::move(action));
    item.add("summary", text.fixes[i]);
    item.add("commands", strings_json(fix.commands));
    if (!fix.when.key.empty()) item.add("when", text_of(fix.when, say));
    out.push(std::move(item));
  }
  return out;
}

Json subject_json(const Finding& finding, const Situation& situation) {
  const Subject& subject = finding.subject;
  Json out = Json::object();
  out.add("gpu", text_json(gpu_label(situation, subject.gpu)));
  out.add("env", text_json(environment_path(situation, subject.environment)));
  out.add("library", text_json(subject.library));
  out.add("gpus", array_json(finding.gpus, [&](int gpu) { return gpu_label(situation, gpu); }));
  return out;
}

Json steps_json(const std::vector<Step>& steps, const Catalogue& say) {
  return array_json(steps, [&](const Step& step) {
    Json item = Json::object();
    item.add("id", step.id);
    item.add("stage", step.stage);
    item.add("state", text_of(step.state));
    item.add("says", text_of(step.says, say));
    item.add("looked_at", text_json(step.looked_at));
    return item;
  });
}

std::string_view outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::fits: return "fits";
    case Outcome::finding: return "finding";
    case Outcome::plan: return "plan";
    case Outcome::nothing: return "nothing-installed";
    case Outcome::no_gpu: return "no-gpu";
    case Outcome::silent: return "nothing-found";
    case Outcome::unknown: break;
  }
  return "unknown";
}

Json next_json(const DoctorReport& report, const Catalogue& say) {
  NextStep next = next_step(report, {}, say);
  Json out = Json::object();
  out.add("outcome", outcome_text(next.outcome));
  out.add("summary", next.text);
  out.add("commands", strings_json(next.commands));
  out.add("code", text_json(next.code));
  out.add("env", text_json(environment_path(report.situation, next.environment)));
  return out;
}

}  // namespace

Json doctor_json(const DoctorReport& report, const Catalogue& say) {
  const Situation& situation = report.situation;
  Json out = head_json("doctor", situation.knowledge);
  out.add("machine", to_json(situation.machine));
  out.add("gpus", gpus_json(situation));
  out.add("environments", environments_json(situation));
  out.add("verdicts", array_json(situation.judgement.verdicts, [&](const LibraryVerdict& one) {
            return verdict_json(one, situation, say);
          }));
  out.add("findings", array_json(report.findings, [&](const Finding& finding) {
            return finding_json(finding, report, say);
          }));
  out.add("next", next_json(report, say));
  if (!report.steps.empty()) out.add("steps", steps_json(report.steps, say));
  if (!report.checks.empty()) out.add("checks", strings_json(report.checks));
  out.add("problems", strings_json(problem_lines(report.situation.machine, {}, say)));
  add_remarks(out, report.remarks, say);
  return out;
}

}  // namespace report

Json finding_json(const Finding& finding, const DoctorReport& report, const Catalogue& say) {
  using namespace report;  // NOLINT(google-build-using-namespace): the pieces above
  FindingText text = finding_text(finding, report.rules, say);
  Json out = Json::object();
  out.add("code", finding.code);
  out.add("name", finding.name);
  out.add("severity", text_of(finding.severity));
  out.add("certainty", text_of(finding.certainty));
  out.add("title", text.title);
  out.add("why", text.why);
  out.add("evidence", evidence_json(finding.evidence, say));
  out.add("fixes", fixes_json(finding, text, say));
  out.add("avoid", strings_json(text.avoid));
  out.add("subject", subject_json(finding, report.situation));
  out.add("sources", strings_json(finding.sources));
  return out;
}

}  // namespace kernelfit
