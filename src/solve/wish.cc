// SPDX-License-Identifier: Apache-2.0
#include "solve/wish.h"

#include <algorithm>

#include "base/text.h"
#include "pyenv/requirement.h"
#include "solve/pairs.h"
#include "solve/torch_pins.h"

namespace kernelfit::solving {
namespace {

// Released with torch, on the same index.
bool is_of_index(std::string_view package) {
  return package == "torchvision" || package == "torchaudio";
}

}  // namespace

bool PairWish::allows(const PackageVersion& torch, std::string_view torch_build) const {
  return (build.empty() || build == torch_build) &&
         std::find(torches.begin(), torches.end(), torch) != torches.end();
}

bool PairWish::allows(const TorchBuild& row) const {
  const bool anywhere = !is_of_index(package);
  return allows(row.version, row.build) &&
         (anywhere || std::find(rows.begin(), rows.end(), &row) != rows.end());
}

bool Wish::empty() const {
  return version.empty() && build.empty() &&
         std::all_of(pairs.begin(), pairs.end(),
                     [](const PairWish& pair) { return pair.package == "numpy"; });
}

bool Wish::granted_by(const TorchBuild& row) const {
  return (channel.empty() || channel == row.channel) && allows(row.version, row.build) &&
         std::all_of(pairs.begin(), pairs.end(),
                     [&](const PairWish& pair) { return pair.allows(row); });
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

namespace {

bool comes_with_torch(std::string_view package) {
  return is_of_index(package) || package == "torch" || package == "triton";
}

// A package of its own; its name is part of the value.
Conflict::Part part_beside(const PairWish& pair) {
  std::vector<std::string> torches;
  for (const PackageVersion& torch : pair.torches) torches.push_back(torch.text());
  const bool one = torches.size() == 1, numpy = pair.package == "numpy";
  Fill values = {{"package", pair.package},
                 {"value", pair.version},
                 {"torch", torches.empty() ? "" : torches.back()},
                 {"first", torches.empty() ? "" : torches.front()}};
  const char* key = torches.empty() ? "solve.conflict.beside-none"
                    : numpy         ? "solve.conflict.numpy"
                    : one           ? "solve.conflict.beside"
                                    : "solve.conflict.beside-several";
  return {"package", pair.package + " " + pair.version, {key, std::move(values)}};
}

}  // namespace

Conflict::Part part_of(const PairWish& pair) {
  const std::string value = pair.build.empty()     ? pair.version
                            : pair.version.empty() ? pair.build
                                                   : pair.version + "+" + pair.build;
  Fill values = {{"package", pair.package}, {"value", value}, {"torch", {}}};
  if (!comes_with_torch(pair.package)) return part_beside(pair);
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

namespace {

// Pins of one package are one, where a torch goes with all of them.
std::vector<Pin> joined(const std::vector<Pin>& pins, const Knowledge& knowledge) {
  std::vector<Pin> out;
  for (const Pin& pin : pins) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const Pin& other) {
      return other.package == pin.package && other.package != "torch" && other.build == pin.build;
    });
    const auto both =
        same == out.end()
            ? std::nullopt
            : VersionSpecifier::parse(same->version.text() + "," + pin.version.text());
    if (both && !torches_of({pin.package, *both, pin.build}, knowledge).all.empty())
      same->version = *both;
    else
      out.push_back(pin);
  }
  return out;
}

PairWish pair_wish(const Pin& pin, const Knowledge& knowledge) {
  PinnedTorches torches = torches_of(pin, knowledge);
  PairWish out{
      pin.package, pin.version.text(), pin.build, std::move(torches.all), std::move(torches.own),
      {}};
  if (!is_of_index(pin.package)) return out;
  for (const TorchBuild& row : knowledge.torch_builds()) {
    const bool of_release =
        std::find(out.torches.begin(), out.torches.end(), row.version) != out.torches.end();
    if (of_release && has_pair(pin.package, {pin}, row, knowledge)) out.rows.push_back(&row);
  }
  return out;
}

// torch/releases.csv says "numpy<2" of what was built before numpy 2, "any" of the rest. Versions
// of numpy are no rows: the last of a few lines, and those that the wish itself names, stand for
// all.
bool goes_with(std::string_view cell, const VersionSpecifier& asked) {
  if (!cell.starts_with("numpy")) return true;
  const auto built_for = VersionSpecifier::parse(cell.substr(std::string_view("numpy").size()));
  if (!built_for) return true;
  std::vector<std::string> versions = {"1.16.6", "1.19.5", "1.21.6", "1.24.4", "1.26.4", "2.3.0"};
  for (const std::string_view clause : split(asked.text(), ',')) {
    const std::size_t digits = clause.find_first_of("0123456789");
    if (digits != std::string_view::npos) versions.emplace_back(clause.substr(digits));
  }
  return std::any_of(versions.begin(), versions.end(), [&](const std::string& text) {
    const auto version = PackageVersion::parse(text);
    return version && built_for->contains(*version) && asked.contains(*version);
  });
}

// The torches beside which the package can be what was asked; nothing where no table says.
std::optional<std::vector<PackageVersion>> torches_beside(const std::string& package,
                                                          const VersionSpecifier& asked,
                                                          const Knowledge& knowledge) {
  std::vector<PackageVersion> out;
  std::vector<TorchPin> pins = torch_pins(package, knowledge);
  std::erase_if(pins, [&](const TorchPin& pin) { return !asked.contains(pin.version); });
  if (pins.empty() && package != "numpy") return std::nullopt;
  for (const TorchRelease& release : knowledge.torch_releases()) {
    const bool pinned = std::any_of(pins.begin(), pins.end(), [&](const TorchPin& pin) {
      return pin.torch.contains(release.version);
    });
    if (package == "numpy" ? goes_with(release.numpy, asked) : pinned)
      out.push_back(release.version);
  }
  return out;
}

// The torches that is left by what was asked for beside them, with a version.
void add_beside(Wish& wish, const std::vector<std::string>& also, const Knowledge& knowledge) {
  for (const std::string& word : also) {
    const auto asked = parse_requirement(word);
    const auto specifier = asked ? VersionSpecifier::parse(asked->specifier) : std::nullopt;
    if (!specifier || specifier->empty() || is_of_index(asked->name) || asked->name == "triton")
      continue;
    auto torches = torches_beside(asked->name, *specifier, knowledge);
    if (!torches || torches->size() == knowledge.torch_releases().size()) continue;
    wish.pairs.push_back({asked->name, specifier->text(), {}, *std::move(torches), {}, {}});
  }
}

}  // namespace

Wish wish_of(const Request& request, const Knowledge& knowledge) {
  NamedBuild named = without_build(request.wanted);
  Wish wish{std::move(named.version), request.wanted_build, {}, {}};
  if (wish.build.empty()) wish.build = std::move(named.build);
  for (const Pin& pin : joined(request.pins, knowledge))
    wish.pairs.push_back(pair_wish(pin, knowledge));
  add_beside(wish, request.also, knowledge);
  return wish;
}

Wish of_own_releases(Wish wish) {
  for (PairWish& pair : wish.pairs) {
    if (!pair.own.empty()) pair.torches = pair.own;
  }
  return wish;
}

}  // namespace kernelfit::solving
