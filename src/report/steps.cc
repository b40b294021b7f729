// SPDX-License-Identifier: Apache-2.0
// `doctor --steps`: the walk a person would do by hand, a stage at a time.
#include "report/doctor.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

Cell step_mark(Step::State state, const Style& style, const Catalogue& say) {
  Ink ink = state == Step::State::passed    ? Ink::good
            : state == Step::State::failed  ? Ink::bad
            : state == Step::State::unknown ? Ink::doubt
                                            : Ink::dim;
  std::string key = "report.step." + std::string(kernelfit::text_of(state));
  return {say(style.unicode ? key : key + ".ascii"), ink};
}

}  // namespace

std::string steps_terminal(const std::vector<Step>& steps, const Style& style,
                           const Catalogue& say) {
  std::vector<Row> rows;
  std::string last;
  for (const auto& step : steps) {
    std::string stage = step.stage == last ? "" : say("report.stage." + step.stage);
    last = step.stage;
    rows.push_back({{stage, Ink::strong},
                    step_mark(step.state, style, say),
                    {text_of(step.says, say)},
                    {short_path(source_text(step.looked_at, say), style), Ink::dim}});
  }
  return lay_out(rows, {.indent = 0, .gap = 2, .hang = 2}, style);
}

}  // namespace kernelfit::report
