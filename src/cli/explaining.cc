// SPDX-License-Identifier: Apache-2.0
#include "cli/explaining.h"

#include "cli/planning.h"
#include "report/explain.h"

namespace kernelfit::cli {

Explained explain_paste(const Paste& paste, const std::vector<Rule>& rules,
                        const Context& context) {
  Judgement judgement = judge(paste.machine, context.knowledge);
  auto plans = all_plans(paste.machine, judgement, context.knowledge, {});
  Situation situation{paste.machine, judgement, plans, context.knowledge};
  ExplainReport report{
      {situation, diagnose(situation, rules), {}, {}, rules, {}}, paste.kinds, {}, paste.lines, {}};
  report.diagnosis.remarks.notes = context.notes;
  for (const auto& fact : paste.facts) report.read.push_back({fact.what, fact.value, fact.source});
  report.missing = missing_of(paste.machine, report.diagnosis.findings);
  std::string text = render_explain(report, context.style, context.say);
  return {std::move(report.diagnosis.findings), std::move(text)};
}

}  // namespace kernelfit::cli
