// SPDX-License-Identifier: Apache-2.0
#include "report/doctor.h"

#include <algorithm>

#include "report/problems.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string library_title(const LibraryVerdict& verdict) {
  return verdict.version.empty() ? verdict.library : verdict.library + " " + verdict.version;
}

// Adds a verdict to the row that says the same of another GPU, or a row of its own.
void add_row(std::vector<LibraryRow>& rows, std::size_t first, const LibraryVerdict& verdict,
             const Catalogue& say) {
  std::string reason = text_of(verdict.reason, say);
  for (std::size_t i = first; i < rows.size(); ++i) {
    const LibraryVerdict* other = rows[i].verdict;
    bool same = other->library == verdict.library && other->version == verdict.version &&
                other->verdict == verdict.verdict && text_of(other->reason, say) == reason;
    if (!same) continue;
    rows[i].gpus.push_back(verdict.gpu);
    return;
  }
  rows.push_back({verdict.environment, library_title(verdict), &verdict, {verdict.gpu}, true});
}

bool fails(const LibraryVerdict& verdict) {
  return !runs(verdict.verdict) && verdict.verdict != Verdict::unknown;
}

// Where torch itself does not run, what else does not is no news.
bool torch_fails(const Situation& situation, const LibraryVerdict& beside) {
  const auto& verdicts = situation.judgement.verdicts;
  return std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
    return verdict.environment == beside.environment && verdict.gpu == beside.gpu &&
           verdict.library == "torch" && fails(verdict);
  });
}

bool is_shown(const Situation& situation, const LibraryVerdict& verdict, bool all) {
  if (all) return true;
  if (is_hidden(situation.machine, verdict.gpu)) return false;
  if (verdict.library == "torch") return true;
  if (verdict.verdict == Verdict::unknown && !is_part_of_torch(verdict.library)) return true;
  return fails(verdict) && !torch_fails(situation, verdict);
}

void add_environment(std::vector<LibraryRow>& rows, int environment, const Situation& situation,
                     const Catalogue& say, bool all) {
  std::size_t first = rows.size();
  const auto& verdicts = situation.judgement.verdicts;
  for (const auto& verdict : verdicts) {
    if (verdict.environment == environment && is_shown(situation, verdict, all)) {
      add_row(rows, first, verdict, say);
    }
  }
  if (rows.size() == first) {  // no torch, and nothing wrong: its first library stands for it
    auto it = std::find_if(verdicts.begin(), verdicts.end(),
                           [&](const auto& verdict) { return verdict.environment == environment; });
    if (it != verdicts.end()) add_row(rows, first, *it, say);
  }
  std::size_t gpus = 0;
  for (std::size_t i = 0; i < situation.machine.gpus.size(); ++i) {
    if (all || !is_hidden(situation.machine, static_cast<int>(i))) ++gpus;
  }
  for (std::size_t i = first; i < rows.size(); ++i) rows[i].all_gpus = rows[i].gpus.size() >= gpus;
}

}  // namespace

std::vector<LibraryRow> library_rows(const Situation& situation, const Catalogue& say, bool all) {
  std::vector<LibraryRow> rows;
  const auto& environments = situation.machine.environments;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    std::size_t before = rows.size();
    int environment = static_cast<int>(i);
    add_environment(rows, environment, situation, say, all);
    if (rows.size() > before) continue;
    if (all || environments[i].active) rows.push_back({environment, {}, nullptr, {}, true});
  }
  return rows;
}

std::vector<std::string> problem_lines(const Machine& machine, const Style& style,
                                       const Catalogue& say) {
  std::vector<std::string> out;
  for (const auto& problem : machine.problems) out.push_back(problem_text(problem, say));
  for (const auto& environment : machine.environments) {
    std::string where = environment_text(environment, style, say) + ": ";
    for (const auto& problem : environment.problems) {
      out.push_back(where + problem_text(problem, say));
    }
    for (const auto& library : environment.libraries) {
      std::string which = where + library.name + ": ";
      for (const auto& problem : library.problems) {
        out.push_back(which + problem_text(problem, say));
      }
    }
  }
  return out;
}

}  // namespace report

std::string render_doctor(const DoctorReport& report, const Style& style, const Catalogue& say) {
  switch (style.format) {
    case Format::json: return report::doctor_json(report, say).dump();
    case Format::markdown: return report::doctor_markdown(report, style, say);
    case Format::terminal: break;
  }
  return report::doctor_terminal(report, style, say);
}

}  // namespace kernelfit
