// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_status.h"

#include <algorithm>

namespace kernelfit::cli {
namespace {

bool is_fault(const Finding& finding) {
  return finding.severity != Severity::note;
}

bool does_not_run(const LibraryVerdict& verdict) {
  return !runs(verdict.verdict) && verdict.verdict != Verdict::unknown;
}

}  // namespace

int first_that_counts(std::initializer_list<int> statuses) {
  for (int status : {kInterrupted, kBug, kNoAnswer, kDoesNotFit, kInPart}) {
    if (std::find(statuses.begin(), statuses.end(), status) != statuses.end()) return status;
  }
  return kFits;
}

int doctor_status(const DoctorReport& report) {
  const auto& verdicts = report.situation.judgement.verdicts;
  bool faults = std::any_of(report.findings.begin(), report.findings.end(), is_fault);
  bool asked_all = report.checks.empty();
  const Machine& machine = report.situation.machine;
  bool misfit = asked_all && std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& one) {
                  return does_not_run(one) && !may_be_hidden(machine, one.gpu);
                });
  bool no_gpu = asked_all && machine.gpus.empty() && !cards_unknown(machine);
  return first_that_counts({faults || misfit || no_gpu ? kDoesNotFit : kFits,
                            report.remarks.incomplete ? kInPart : kFits});
}

int explain_status(const std::vector<Finding>& findings) {
  if (findings.empty()) return kFits;
  return findings.front().name == "insufficient-information" ? kInPart : kDoesNotFit;
}

int plan_status(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::install:
    case PlanVerdict::reinstall:
    case PlanVerdict::keep: return kFits;
    case PlanVerdict::ask: return kInPart;
    case PlanVerdict::update_driver:
    case PlanVerdict::change_python:
    case PlanVerdict::fix_component:
    case PlanVerdict::no_build: break;
  }
  return kDoesNotFit;
}

}  // namespace kernelfit::cli
