// SPDX-License-Identifier: Apache-2.0
// Which build a wheel is whose version names none: "2.8.0" in place of "2.8.0+cu126". The indexes
// of one CUDA tag their wheels, PyPI may not: such a wheel is what PyPI gives by default, unless
// another one of the same release goes without a tag too.
#pragma once
#include <string>

#include "knowledge/knowledge.h"
#include "machine/machine.h"

namespace kernelfit {

// The builds of torch that an untagged torch, torchvision or torchaudio of this platform
// ("linux-x86_64") can be of; PyPI's first. Empty: the tables do not say.
std::vector<const TorchBuild*> untagged_builds(std::string_view package,
                                               const PackageVersion& version,
                                               std::string_view platform,
                                               const Knowledge& knowledge);

// Fills build and CUDA of torch, torchvision and torchaudio where neither their version, their
// files nor conda told them and there is one answer. Where there are several, they stay unknown and
// the reason names them. A pasted list does not tell a wheel from a package of conda, and NVIDIA's
// wheels for a Jetson have no tags: both are left as they are.
void name_default_builds(Machine& machine, const Knowledge& knowledge);
bool is_default_build(const Library& library);   // filled by it
bool is_one_of_several(const Library& library);  // left unknown by it

}  // namespace kernelfit
