// SPDX-License-Identifier: Apache-2.0
// Which Pythons a build is for, which of them to advise, and the tags of its wheel.
#pragma once
#include <string>
#include <vector>

#include "knowledge/knowledge.h"

namespace kernelfit::solving {

// "3.12.3" asks for 3.12; free-threaded interpreters (3.13t) have wheels of their own.
bool serves_python(const TorchBuild& build, const DottedVersion& python, bool free_threaded,
                   const Knowledge& knowledge);

// The same of any row of this release, platform and build: what is installed may be of any channel.
bool any_serves_python(const TorchBuild& build, const DottedVersion& python, bool free_threaded,
                       const Knowledge& knowledge);

// The newest Python that every release of the last two and a half years has wheels for: old enough
// that other packages have followed, young enough to last. 3.12 at the end of 2026.
DottedVersion common_python(const Knowledge& knowledge);

// Wheels for this Python are a trial of the release: 3.11 for 1.13.1.
bool is_experimental(const TorchBuild& build, const DottedVersion& python,
                     const Knowledge& knowledge);

// The Python to advise for a build: the common one, else the nearest that the build is for.
DottedVersion best_python(const TorchBuild& build, const Knowledge& knowledge);

// "cp312-cp312-manylinux_2_28_x86_64"; empty for conda builds.
std::vector<std::string> wheel_tags(const TorchBuild& build, const DottedVersion& python,
                                    bool free_threaded, const Knowledge& knowledge);

const TorchRelease* release_of(const PackageVersion& version, const Knowledge& knowledge);

}  // namespace kernelfit::solving
