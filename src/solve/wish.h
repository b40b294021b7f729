// SPDX-License-Identifier: Apache-2.0
// The torch that was asked for: a version, a build, or neither.
#pragma once
#include <string>

#include "solve/solve.h"

namespace kernelfit::solving {

struct Wish {
  VersionSpecifier version;  // "==2.15.*"
  std::string build;         // "cu126"
  std::string channel{};     // "pip"; empty: any
  bool empty() const { return version.empty() && build.empty(); }
  bool granted_by(const TorchBuild& row) const {
    return (build.empty() || build == row.build) && (channel.empty() || channel == row.channel) &&
           version.contains(row.version);
  }
};

// "cu126" is what an index calls a build, "cuda12.9" what conda does.
bool names_wheel(const Wish& wish);

// "==2.13.0+cu126" is a version and a build.
Wish wish_of(const Request& request);

}  // namespace kernelfit::solving
