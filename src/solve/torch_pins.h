// SPDX-License-Identifier: Apache-2.0
// Packages whose releases ask for one torch (vllm, xformers): libraries/torch_pins.csv, from their
// own metadata. What is not listed is not known, never "any".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solve/solve.h"

namespace kernelfit::solving {

struct TorchPin {
  PackageVersion version;  // of the package
  VersionSpecifier torch;  // "==2.14.0"
  std::string_view sources;
};

// Newest first; empty: the package has none in the table.
std::vector<TorchPin> torch_pins(std::string_view package, const Knowledge& knowledge);
// The newest release that asks for this torch.
std::optional<TorchPin> pin_for(std::string_view package, const PackageVersion& torch,
                                const Knowledge& knowledge);

}  // namespace kernelfit::solving
