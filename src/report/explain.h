// SPDX-License-Identifier: Apache-2.0
// What a pasted text means: what was read in it, the causes, and what would make it surer.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace kernelfit {

struct ExplainReport {
  struct Read {  // "torch", "2.6.0+cu126", "line 9"
    std::string what, value, source;
  };
  struct Missing {
    Said what;
    std::string command;
  };
  DoctorReport diagnosis;
  std::vector<std::string> kinds;
  std::vector<Read> read;
  int lines = 0;
  std::vector<Missing> missing;
};

// What to paste so that the answer becomes certain: always where nothing decides, else only what
// is not known and would matter.
std::vector<ExplainReport::Missing> missing_of(const Machine& machine,
                                               const std::vector<Finding>& findings);

std::string render_explain(const ExplainReport& report, const Style& style, const Catalogue& say);

}  // namespace kernelfit
