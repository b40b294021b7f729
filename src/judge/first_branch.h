// SPDX-License-Identifier: Apache-2.0
// The first driver branch that knows a card. The list of branches names ranges of capabilities, and
// a range tells nothing of what came later within it: 10.3 lies in "5.0 to 12.0" of R570, whose
// CUDA cannot compile for it yet. Where the two disagree the later one is taken.
#pragma once
#include "knowledge/knowledge.h"

namespace kernelfit {

struct FirstBranch {
  int branch = 0;      // 0: none is known
  int by_range = 0;    // what the list of branches alone would say
  DottedVersion cuda;  // the first that compiles for this very capability; empty: the oldest known
  bool is_doubtful() const { return branch != by_range; }
};
FirstBranch first_branch_of(ComputeCapability capability, const Knowledge& knowledge);

// Does the list of branches name the capability?
bool names(const DriverBranch& branch, ComputeCapability capability);

}  // namespace kernelfit
