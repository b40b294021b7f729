// SPDX-License-Identifier: Apache-2.0
// Values into text, pure: nothing here looks at the machine or asks for more facts.
// One function per thing a command answers; the Style says for whom (a terminal, a program, a
// forum).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "diagnose/diagnose.h"
#include "diagnose/rule.h"
#include "judge/browse.h"
#include "judge/in_reach.h"
#include "message/message.h"

namespace kernelfit {

std::string_view program_version();  // "0.1.0"

enum class Format { terminal, json, markdown };

struct Style {
  Format format = Format::terminal;
  bool color = false;   // a terminal, or --color=always
  bool unicode = true;  // false: "ok", "no", "??" only and no box characters
  int columns = 80;
  bool verbose = false, quiet = false;
  std::string home;  // shortened to ~ on terminals
  std::string language = "en";
};

// What every answer may carry beside itself.
struct Remarks {
  bool incomplete = false;
  std::vector<Said> missing;  // what is not known and would matter
  std::vector<Said> notes;    // "the knowledge is 75 days old"
};

// What a doctor's answer leaves open: a card whose chip is not known, a driver nobody told of, a
// library that could not be judged, anything that could not be read.
Remarks remarks_of(const Situation& situation, const Catalogue& say);

// Another machine, and nobody told what is installed there.
bool installed_unknown(const Machine& machine);

struct DoctorReport {
  const Situation& situation;
  std::vector<Finding> findings;
  std::vector<Step> steps;          // empty without --steps
  std::vector<std::string> checks;  // doctor CHECK…: empty means all
  const std::vector<Rule>& rules;
  Remarks remarks;
};

struct PlanReport {
  const Request& request;
  const Plan& plan;
  const Knowledge& knowledge;
  std::string environment;     // the prefix it is for; empty: a fresh one
  std::vector<Plan> variants;  // beside plan.answer.variants
  Remarks remarks;
};

// `plan driver`: which driver branch serves the cards and the wanted CUDA, and the steps.
struct DriverPlanReport {
  const Request& request;
  const Knowledge& knowledge;
  DottedVersion cuda;  // wanted; empty: none in particular
  DriverNeed need;
  Verdict present = Verdict::unknown;   // how the driver that is there serves it
  std::optional<DottedVersion> driver;  // to install
  std::vector<CommandBlock> commands;
  Remarks remarks;
  // No driver serves all the cards on this system: why, and what each takes by itself.
  struct Alone {
    Card card;
    DriverNeed need;
    std::optional<DottedVersion> driver;  // nothing: none serves it either
  };
  std::optional<Conflict> conflict = {};
  std::vector<Alone> alone = {};
};

std::string render_doctor(const DoctorReport& report, const Style& style, const Catalogue& say);
std::string render_plan(const PlanReport& report, const Style& style, const Catalogue& say);
// One for each environment that was named: one below the other, or the first with all of them as
// `plans` in JSON.
std::string render_plans(const std::vector<PlanReport>& reports, const Style& style,
                         const Catalogue& say);
std::string render_driver_plan(const DriverPlanReport& report, const Style& style,
                               const Catalogue& say);
// `doctor --list`: the checks, by group.
std::string render_checks(const std::vector<Rule>& rules, const Knowledge& knowledge,
                          const Style& style, const Catalogue& say);

// `kernelfit gpu`: one group of pages per card that was asked for.
struct GpuReport {
  struct Asked {
    std::string query;            // as typed; empty: found on this machine
    std::vector<CardPage> pages;  // one per chip
  };
  std::vector<Asked> cards;
  const Knowledge& knowledge;
};
std::string render_gpu(const GpuReport& report, const Style& style, const Catalogue& say);

std::string render_torch(const TorchPage& page, const Knowledge& knowledge, const Style& style,
                         const Catalogue& say);
std::string render_matrices(const std::vector<Matrix>& matrices, const Knowledge& knowledge,
                            const Style& style, const Catalogue& say);

// A finding as docs/contract.md 3 prints it; its texts in the catalogue's language.
Json finding_json(const Finding& finding, const DoctorReport& report, const Catalogue& say);

}  // namespace kernelfit
