// SPDX-License-Identifier: Apache-2.0
#include "solve/wish.h"

#include <algorithm>

#include "base/text.h"
#include "solve/pairs.h"

namespace kernelfit::solving {

bool PairWish::allows(const PackageVersion& torch, std::string_view torch_build) const {
  return (build.empty() || build == torch_build) &&
         std::find(torches.begin(), torches.end(), torch) != torches.end();
}

// What is left of a local version behind `!=` is asked of the build as its index calls it.
bool Wish::allows(const PackageVersion& torch, std::string_view torch_build) const {
  if (!build.empty() && build != torch_build) return false;
  const bool whole = contains(version.text(), "+");
  const auto local =
      whole ? PackageVersion::parse(torch.public_text() + "+" + std::string(torch_build))
            : std::nullopt;
  return version.contains(local ? *local : torch) &&
         std::all_of(pairs.begin(), pairs.end(),
                     [&](const PairWish& pair) { return pair.allows(torch, torch_build); });
}

Conflict::Part part_of(const PairWish& pair) {
  const std::string value = pair.build.empty()     ? pair.version
                            : pair.version.empty() ? pair.build
                                                   : pair.version + "+" + pair.build;
  Fill values = {{"package", pair.package}, {"value", value}, {"torch", {}}};
  if (pair.package == "torch") return {"torch", value, {"solve.conflict.torch", values}};
  if (pair.torches.empty()) return {pair.package, value, {"solve.conflict.pair-unknown", values}};
  const std::string first = pair.torches.front().text(), last = pair.torches.back().text();
  values.back().second = last;
  if (first == last) return {pair.package, value, {"solve.conflict.pair", values}};
  values.emplace_back("first", first);
  return {pair.package, value, {"solve.conflict.pair-several", values}};
}

std::vector<PairWish> without_builds(std::vector<PairWish> pairs) {
  for (PairWish& pair : pairs) pair.build.clear();
  return pairs;
}

bool names_wheel(const Wish& wish) {
  return wish.build.starts_with("cu") && !wish.build.starts_with("cuda");
}

NamedBuild without_build(const VersionSpecifier& specifier) {
  NamedBuild out;
  std::vector<std::string> clauses;
  for (const std::string_view part : split(specifier.text(), ',')) {
    std::string_view clause = trim(part);
    const std::size_t plus = clause.find('+');
    if (clause.starts_with("==") && plus != std::string_view::npos) {
      out.build = lower(trim(clause.substr(plus + 1)));
      clause = trim(clause.substr(0, plus));
    }
    if (!clause.empty()) clauses.emplace_back(clause);
  }
  out.version = VersionSpecifier::parse(join(clauses, ",")).value_or(specifier);
  return out;
}

Wish wish_of(const Request& request, const Knowledge& knowledge) {
  NamedBuild named = without_build(request.wanted);
  Wish wish{std::move(named.version), request.wanted_build, {}, {}};
  if (wish.build.empty()) wish.build = std::move(named.build);
  for (const Pin& pin : request.pins)
    wish.pairs.push_back(
        {pin.package, pin.version.text(), pin.build, torches_of(pin, wish.version, knowledge)});
  return wish;
}

}  // namespace kernelfit::solving
