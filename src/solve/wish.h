// SPDX-License-Identifier: Apache-2.0
// The torch that was asked for: a version, a build, or neither.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solve/solve.h"

namespace kernelfit::solving {

// A pin of a package beside torch, as what it asks of torch.
struct PairWish {
  std::string package, version, build;  // "torchvision", "==0.21.0", "cu126" or empty
  std::vector<PackageVersion> torches;  // that it goes with; empty: none that is known
  std::vector<PackageVersion> own;      // of these, that it was released with
  std::vector<const TorchBuild*> rows;  // of these, where it can be had; unused of torch and triton
  bool allows(const PackageVersion& torch, std::string_view torch_build) const;
  bool allows(const TorchBuild& row) const;
};

struct Wish {
  VersionSpecifier version;  // "==2.15.*"
  std::string build;         // "cu126"
  std::string channel{};     // "pip"; empty: any
  std::vector<PairWish> pairs{};
  // A numpy leaves torches out, but asks for none.
  bool empty() const;
  // A release and its build ("cu126"), whatever its channel.
  bool allows(const PackageVersion& torch, std::string_view torch_build) const;
  bool granted_by(const TorchBuild& row) const;
};

// What it asks, as a part of a conflict.
Conflict::Part part_of(const PairWish& pair);

// The pins, whichever build they name.
std::vector<PairWish> without_builds(std::vector<PairWish> pairs);

// "cu126" is what an index calls a build, "cuda12.9" what conda does.
bool names_wheel(const Wish& wish);

// "==2.13.0+cu126" is a version and a build; of other clauses a local version stays where it is.
struct NamedBuild {
  VersionSpecifier version;
  std::string build;
};
NamedBuild without_build(const VersionSpecifier& specifier);

Wish wish_of(const Request& request, const Knowledge& knowledge);

// The same with each pin beside the torch that it was released with, where there is one.
Wish of_own_releases(Wish wish);

}  // namespace kernelfit::solving
