// SPDX-License-Identifier: Apache-2.0
// The one best next step of a doctor's report, and whether everything fits: the same for terminal,
// JSON and Markdown.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace kernelfit::report {

enum class Outcome {
  fits,     // everything that is installed runs on every card
  finding,  // the first finding's first fix
  plan,     // something does not run and no rule speaks: the plan of its environment
  nothing,  // nothing is installed that uses a GPU
  no_gpu,
  silent,   // none of the checks that were asked for speaks
  unknown,  // what is known does not decide
};

struct NextStep {
  Outcome outcome = Outcome::unknown;
  std::string text;
  std::vector<std::string> commands;
  std::string code;  // of the finding whose fix it is
  int environment = -1;
};

NextStep next_step(const DoctorReport& report, const Style& style, const Catalogue& say);

}  // namespace kernelfit::report
