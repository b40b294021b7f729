// SPDX-License-Identifier: Apache-2.0
// docs/contract.md 2, in one place.
#pragma once
#include <initializer_list>
#include <vector>

#include "report/report.h"

namespace kernelfit::cli {

inline constexpr int kFits = 0;
inline constexpr int kDoesNotFit = 1;
inline constexpr int kNoAnswer = 2;
inline constexpr int kInPart = 3;
inline constexpr int kBug = 70;
inline constexpr int kInterrupted = 130;

// Of several that hold, the one that counts: 130, 70, 2, 1, 3, 0.
int first_that_counts(std::initializer_list<int> statuses);

int doctor_status(const DoctorReport& report);
int explain_status(const std::vector<Finding>& findings);
int plan_status(PlanVerdict verdict);

}  // namespace kernelfit::cli
