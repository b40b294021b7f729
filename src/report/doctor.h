// SPDX-License-Identifier: Apache-2.0
// The three forms of a doctor's report. `render_doctor` (report.h) picks one.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "report/report.h"

namespace kernelfit::report {

std::string doctor_terminal(const DoctorReport& report, const Style& style, const Catalogue& say);
std::string doctor_markdown(const DoctorReport& report, const Style& style, const Catalogue& say);
// The findings alone, one below the other: explain says them too.
std::string findings_terminal(const DoctorReport& report, const Style& style, const Catalogue& say);
std::string findings_markdown(const DoctorReport& report, const Catalogue& say);
Json doctor_json(const DoctorReport& report, const Catalogue& say);

std::string steps_terminal(const std::vector<Step>& steps, const Style& style,
                           const Catalogue& say);

// An environment in the table: its library of most interest on one group of GPUs.
struct LibraryRow {
  int environment = -1;
  std::string library;                      // "torch 2.13.0+cu130"
  const LibraryVerdict* verdict = nullptr;  // null: the environment has none
  std::vector<int> gpus;                    // those that share the verdict and its reason
  bool all_gpus = true;
};
// Torch of every environment, and every other library that does not run there; `all` for each
// library. An environment without any is left out, unless it is the active one.
std::vector<LibraryRow> library_rows(const Situation& situation, const Catalogue& say, bool all);

// What could not be read, one line each: the machine's, environments' and libraries' problems.
std::vector<std::string> problem_lines(const Machine& machine, const Style& style,
                                       const Catalogue& say);
// The key under which the same lines stand among Remarks::missing.
inline constexpr std::string_view kUnread = "report.missing.unread";

}  // namespace kernelfit::report
