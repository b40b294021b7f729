// SPDX-License-Identifier: Apache-2.0
// The cards that the code of a file, or of several that belong together, runs on: code_for() for
// every compute capability that the knowledge has.
#pragma once
#include <vector>

#include "judge/code.h"
#include "knowledge/knowledge.h"
#include "machine/images.h"

namespace kernelfit {

struct Covered {
  ComputeCapability capability;
  CodeVerdict code;
};

// Every capability of a product or a torch build that a toolkit compiles for, lowest first; Tegra
// ones too.
std::vector<ComputeCapability> all_capabilities(const Knowledge& knowledge);

// `built_with`: CUDA of the build; empty: not known.
std::vector<Covered> coverage(const std::vector<BinaryImages>& binaries,
                              const DottedVersion& built_with, const Knowledge& knowledge);

}  // namespace kernelfit
