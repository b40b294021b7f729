// SPDX-License-Identifier: Apache-2.0
#include "judge/wsl.h"

#include <optional>

namespace kernelfit {
namespace {

// The floor of a feature of the hardware; nothing where the table does not say.
std::optional<ComputeCapability> feature_floor(std::string_view scope, const Knowledge& knowledge) {
  for (const LibraryArch& row : knowledge.library_archs()) {
    if (row.library == "hardware-feature" && row.scope == scope)
      return ComputeCapability::parse(row.capability_min);
  }
  return std::nullopt;
}

}  // namespace

WslSupport wsl_support(const Card& card, const Knowledge& knowledge) {
  const auto named = feature_floor("WSL2 CUDA", knowledge);
  if (!card.capability.has() || !named || *card.capability >= *named) return WslSupport::named;
  const auto reported = feature_floor("WSL2 CUDA, as reported", knowledge);
  return reported && *card.capability >= *reported ? WslSupport::reported : WslSupport::none;
}

}  // namespace kernelfit
