// SPDX-License-Identifier: Apache-2.0
// The three forms of a plan, and the phrases they share. `render_plan` (report.h) picks one.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "report/report.h"

namespace kernelfit::report {

std::string plan_terminal(const PlanReport& report, const Style& style, const Catalogue& say);
std::string plan_markdown(const PlanReport& report, const Style& style, const Catalogue& say);
Json plan_json(const PlanReport& report, const Catalogue& say);
Json plans_json(const std::vector<PlanReport>& reports, const Catalogue& say);

// What doctor says of this machine before anything of torch: a caveat; null: nothing.
const Said* first_fault(const Answer& answer);
// The verdict as one sentence: "install torch 2.14.1 (cu126, official wheels)".
std::string headline(const Answer& answer, const Request& request, const Catalogue& say);
// "torch 2.14.1 cu126, official wheels"
std::string choice_text(const Choice& choice, const Catalogue& say);
std::string channel_text(std::string_view channel, const Catalogue& say);
// "torch 1.13.1 cu117 (…): where …; from a third party (…)": an alternative, when it is the better
// one, and what its commands must not be shown without.
std::string alternative_text(const Plan& plan, std::size_t alternative, const Catalogue& say);
// "driver 525.60.13 or newer, up to the 580 branch"
std::string need_text(const DriverNeed& need, const Catalogue& say);
std::string tool_text(const CommandBlock& block, const Catalogue& say);

// What the question was: the cards, the driver, the system, each with where it comes from.
struct GivenFact {
  std::string label, value, source;
};
std::vector<GivenFact> request_facts(const PlanReport& report, const Catalogue& say);

}  // namespace kernelfit::report
