// SPDX-License-Identifier: Apache-2.0
// The plan for a question in one line, and tables of the lines it should have.
#pragma once
#include <gtest/gtest.h>

#include "plan/plan.h"
#include "solve/request_for_tests.h"

namespace kernelfit {

inline const std::string kIndex = "https://download.pytorch.org/whl/";

inline Plan plan_for(std::string_view words, const PlanOptions& options,
                     const Knowledge& knowledge) {
  const Request request = request_of(words, knowledge);
  return make_plan(request, solve(request, knowledge), options, knowledge);
}

inline std::vector<std::string> lines_of_tool(const Plan& plan, std::string_view tool) {
  std::vector<std::string> out;
  for (const CommandBlock& block : plan.commands) {
    if (block.tool == tool) out.insert(out.end(), block.lines.begin(), block.lines.end());
  }
  return out;
}

struct CommandCase {
  const char* request;
  const char* tool;
  std::vector<std::string> lines;  // all of this tool, in order
};

inline void check(const std::vector<CommandCase>& cases, const PlanOptions& options = {}) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const CommandCase& c : cases)
    EXPECT_EQ(lines_of_tool(plan_for(c.request, options, knowledge), c.tool), c.lines) << c.request;
}

}  // namespace kernelfit
