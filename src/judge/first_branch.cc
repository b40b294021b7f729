// SPDX-License-Identifier: Apache-2.0
#include "judge/first_branch.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {

bool compiles_for(const CudaToolkit& toolkit, ComputeCapability capability) {
  return std::any_of(toolkit.sass.begin(), toolkit.sass.end(),
                     [&](const GpuArch& arch) { return arch.capability() == capability; });
}

// Nothing is known of the toolkits before the first of the table.
DottedVersion first_cuda_for(ComputeCapability capability, const Knowledge& knowledge) {
  const auto& toolkits = knowledge.toolkits();
  const auto first =
      std::find_if(toolkits.begin(), toolkits.end(),
                   [&](const CudaToolkit& toolkit) { return compiles_for(toolkit, capability); });
  if (first == toolkits.begin() || first == toolkits.end()) return {};
  return first->cuda;
}

}  // namespace

// By capability and generation: Rubin is 10.7, but the branches before 615 do not know it.
bool names(const DriverBranch& branch, ComputeCapability capability) {
  const bool rubin = capability == ComputeCapability{10, 7};
  return capability >= branch.capability_min && capability <= branch.capability_max &&
         (!rubin || contains(branch.architectures, "Rubin"));
}

FirstBranch first_branch_of(ComputeCapability capability, const Knowledge& knowledge) {
  FirstBranch out;
  out.cuda = first_cuda_for(capability, knowledge);
  for (const DriverBranch& branch : knowledge.driver_branches()) {
    if (!names(branch, capability)) continue;
    if (out.by_range == 0) out.by_range = branch.branch;
    if (branch.max_cuda < out.cuda) continue;
    out.branch = branch.branch;
    return out;
  }
  out.branch = out.by_range;
  return out;
}

}  // namespace kernelfit
