// SPDX-License-Identifier: Apache-2.0
// Old releases have builds whose version says nothing of their CUDA: 1.1.0 is cu90 on PyPI and
// cu100 on a page of its own. pip then takes whichever it likes better, and calls the one that is
// installed satisfied: the file itself has to be named, and the installed one has to go first.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "solve/pairs.h"

namespace kernelfit::planning {

// Does the default index carry another build under the version that this row asks for?
bool is_ambiguous(const InstallCommand& row, const TorchBuild& build, const Knowledge& knowledge);

// "https://download.pytorch.org/whl/cu100/torch-1.1.0-cp36-cp36m-linux_x86_64.whl"; empty: the
// package has no file for one CUDA (torchvision before 0.3.0 is the same for all).
std::string wheel_url(std::string_view package, std::string_view version, const InstallCommand& row,
                      const TorchBuild& build, const DottedVersion& python,
                      const Knowledge& knowledge);

// Packages that pip would call satisfied by what is installed, though another build is meant.
// Third parties publish under the official names: 1.13.1+cu117 of theirs is satisfied by PyTorch's.
std::vector<std::string> to_uninstall(const solving::Specs& specs, const TorchBuild& build,
                                      const Request& request);

}  // namespace kernelfit::planning
