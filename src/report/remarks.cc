// SPDX-License-Identifier: Apache-2.0
// What is not known and would matter. What was not asked does not: an environment without a GPU
// library is judged whole.
#include <algorithm>

#include "report/doctor.h"
#include "report/problems.h"
#include "report/words.h"

namespace kernelfit {
namespace {

using report::environment_text;

// Which cards programs see matters where something runs on one and not on another.
bool cards_differ(const Situation& situation) {
  const auto& verdicts = situation.judgement.verdicts;
  const auto runs_somewhere = [&](bool wanted) {
    return std::any_of(verdicts.begin(), verdicts.end(), [&](const LibraryVerdict& one) {
      return one.library == "torch" && runs(one.verdict) == wanted &&
             !is_hidden(situation.machine, one.gpu);
    });
  };
  return runs_somewhere(true) && runs_somewhere(false);
}

void add_cards(Remarks& out, const Situation& situation, const Catalogue& say) {
  const Machine& machine = situation.machine;
  if (cards_unknown(machine) && machine.system.os.is("windows")) {
    out.missing.push_back({"report.missing.gpu-windows", {}});
  } else if (cards_unknown(machine)) {
    std::string reason = report::problem_text(machine.system.pci_devices.reason(), say);
    out.missing.push_back({"report.missing.gpu", {{"reason", reason}}});
  }
  if (visible_unknown(machine) && cards_differ(situation)) {
    out.missing.push_back(
        {"report.missing.visible", {{"value", *machine.variables.cuda_visible_devices}}});
  }
  for (const auto& card : situation.judgement.cards) {
    if (card.capability.has()) continue;
    std::string key = card.variants.empty() ? "report.missing.capability" : "report.missing.chip";
    out.missing.push_back({key, {{"gpu", card.label}}});
  }
}

void add_driver(Remarks& out, const Machine& machine, const Catalogue& say) {
  bool asked = !machine.gpus.empty() && !machine.system.l4t.has();
  if (!asked || !machine.driver.version.is_unknown()) return;
  if (machine.hypothetical) {
    out.missing.push_back({"report.missing.driver-given", {}});
  } else {
    out.missing.push_back(
        {"report.missing.driver",
         {{"reason", report::problem_text(machine.driver.version.reason(), say)}}});
  }
}

// Eight cards and one reason are one line.
bool is_said(const std::vector<Said>& all, const Said& one) {
  return std::any_of(all.begin(), all.end(), [&](const Said& other) {
    return other.key == one.key && other.values == one.values;
  });
}

// What no table says of a library, a known driver would not tell either.
bool is_unlisted(const LibraryVerdict& verdict) {
  return verdict.reason.key.starts_with("judge.reason.unlisted");
}

void add_libraries(Remarks& out, const Situation& situation, const Catalogue& say) {
  const auto& environments = situation.machine.environments;
  const bool follows = !out.missing.empty();  // from an unknown card or driver, said before
  for (const auto& verdict : situation.judgement.verdicts) {
    if (verdict.verdict != Verdict::unknown || (follows && !is_unlisted(verdict))) continue;
    if (is_part_of_torch(verdict.library)) continue;  // shown where it fails only
    if (is_hidden(situation.machine, verdict.gpu)) continue;
    auto index = static_cast<std::size_t>(verdict.environment);
    if (index >= environments.size()) continue;
    Said missing{"report.missing.verdict",
                 {{"environment", environment_text(environments[index], {}, say)},
                  {"library", verdict.library},
                  {"reason", report::text_of(verdict.reason, say)}}};
    if (!is_said(out.missing, missing)) out.missing.push_back(std::move(missing));
  }
}

void add_problems(Remarks& out, const Machine& machine, const Catalogue& say) {
  for (const auto& problem : report::problem_lines(machine, {}, say)) {
    out.missing.push_back({std::string(report::kUnread), {{"problem", problem}}});
  }
}

}  // namespace

bool installed_unknown(const Machine& machine) {
  const auto& all = machine.environments;
  return machine.hypothetical && std::all_of(all.begin(), all.end(), [](const auto& one) {
           return one.path.empty() && one.libraries.empty();
         });
}

Remarks remarks_of(const Situation& situation, const Catalogue& say) {
  Remarks out;
  add_cards(out, situation, say);
  add_driver(out, situation.machine, say);
  add_libraries(out, situation, say);
  if (installed_unknown(situation.machine)) out.missing.push_back({"report.missing.installed", {}});
  add_problems(out, situation.machine, say);
  out.incomplete = !out.missing.empty();
  return out;
}

}  // namespace kernelfit
