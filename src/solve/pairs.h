// SPDX-License-Identifier: Apache-2.0
// What belongs to a torch: the torchvision and torchaudio of its release, from its index, and the
// row of torch/install_commands.csv that says how the build is asked for.
#pragma once
#include <string>

#include "solve/solve.h"

namespace kernelfit::solving {

// The form that names an index or a page; PyPI's only where there is no other. Null: not known.
const InstallCommand* install_row(const TorchBuild& build, const Knowledge& knowledge);
// The plain PyPI form: only for the default index's build.
const InstallCommand* pypi_row(const TorchBuild& build, const Knowledge& knowledge);

struct Specs {
  std::string torch, torchvision, torchaudio;  // versions as to be asked for: "2.14.1+cu126"
};
// The torchvision and torchaudio that were pinned, where they go with this torch as well.
// With the local version where the index has it: "2.14.1+cu126". A torchaudio that is not known to
// be on the index of this build has no local version ("2.11.1").
Specs specs_for(const TorchBuild& build, const InstallCommand* row, const std::vector<Pin>& pins,
                const Knowledge& knowledge);

// Is a pair of this build's torch that all pins of the package allow where the build comes from, or
// on PyPI for its CUDA? An index has a pair only where a row of that very index names it.
bool has_pair(std::string_view package, const std::vector<Pin>& pins, const TorchBuild& build,
              const Knowledge& knowledge);

// The releases of torch that a pin leaves: those that its package was released with, and those
// beside which it serves as well. Empty: none that is known.
struct PinnedTorches {
  std::vector<PackageVersion> own, all;
};
PinnedTorches torches_of(const Pin& pin, const Knowledge& knowledge);

// Does this torchvision (torchaudio) belong to this torch release? By public versions.
bool is_pair(std::string_view package, const PackageVersion& version, const PackageVersion& torch,
             const Knowledge& knowledge);

}  // namespace kernelfit::solving
