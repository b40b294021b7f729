// SPDX-License-Identifier: Apache-2.0
#include "judge/coverage.h"

#include <set>

#include "judge/card.h"

namespace kernelfit {

std::vector<ComputeCapability> all_capabilities(const Knowledge& knowledge) {
  const auto& toolkits = knowledge.toolkits();
  // What no toolkit of the table compiles for (before Fermi) can be in no file that is looked at.
  const bool has_first = !toolkits.empty() && !toolkits.front().sass.empty();
  const auto first = has_first ? toolkits.front().sass.front().capability() : ComputeCapability{};
  std::set<ComputeCapability> all;
  for (const auto& product : knowledge.products()) {
    if (product.capability.number() > 0 && product.capability >= first)
      all.insert(product.capability);
  }
  for (const auto& range : knowledge.capability_ranges()) all.insert(range.capability);
  return {all.begin(), all.end()};
}

std::vector<Covered> coverage(const std::vector<BinaryImages>& binaries,
                              const DottedVersion& built_with, const Knowledge& knowledge) {
  std::vector<Covered> out;
  for (auto capability : all_capabilities(knowledge)) {
    CodeRule rule{capability, is_tegra(capability), false, built_with};
    out.push_back({capability, code_for(binaries, rule)});
  }
  return out;
}

}  // namespace kernelfit
