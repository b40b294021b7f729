// SPDX-License-Identifier: Apache-2.0
#include "solve/pairs.h"

#include <algorithm>

#include "base/text.h"
#include "solve/python_fit.h"

namespace kernelfit::solving {
namespace {

bool same_channel(const InstallCommand& row, std::string_view channel) {
  if (channel == "pip") return row.manager == "pip" && row.official != "third-party";
  if (channel.starts_with("third-party"))
    return row.manager == "pip" && row.official == "third-party";
  if (row.manager != "conda") return false;
  if (channel == "conda-forge") return row.conda_channels == "conda-forge";
  if (channel == "conda-pytorch-lts") return row.conda_channels.starts_with("pytorch-lts");
  return contains_word(row.conda_channels, "pytorch");
}

bool is_on(const InstallCommand& row, std::string_view platform) {
  for (std::string_view rest = row.platform;;) {  // asked a million times: nothing is copied
    const std::size_t end = rest.find(';');
    if (rest.substr(0, end) == platform) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

bool is_for(const InstallCommand& row, const TorchBuild& build) {
  return row.build == build.build && row.torch == build.version.text() &&
         is_on(row, build.platform) && same_channel(row, build.channel);
}

bool is_pypi(const InstallCommand& row) {
  return row.manager == "pip" && row.index_flag.empty();
}

// What stands on previous-versions.md before what follows its pattern before what it leaves out;
// the page of a single CUDA (…/whl/cu113/torch_stable.html) only where there is no other.
int row_rank(const InstallCommand& row) {
  if (is_pypi(row)) return 0;
  if (contains(row.index_url, "/whl/cu") && row.index_url.ends_with(".html")) return 1;
  return row.official == "yes" || row.official == "community" ? 4 : row.official == "no" ? 2 : 3;
}

// "torchvision==0.29.1" or conda's "torchvision=0.19.1" -> "0.29.1".
std::string version_in(std::string_view spec) {
  const std::size_t at = spec.find_last_of('=');
  return at == std::string_view::npos ? std::string() : std::string(spec.substr(at + 1));
}

// The column of torch/releases.csv. Empty: the table does not say.
std::string_view pair_cell(const TorchRelease& release, std::string_view package) {
  if (package == "torchvision") return release.torchvision;
  if (package == "torchaudio") return release.torchaudio;
  return package == "triton" ? release.triton : std::string_view();
}

std::string_view spec_of(const InstallCommand& row, std::string_view package) {
  return package == "torchvision" ? row.torchvision_spec : row.torchaudio_spec;
}

// Since 2.12 torchaudio is not released with torch: an index has its builds of 2.11.0 only. Before,
// it was, whatever its number (2.0.2 beside 2.0.1).
bool on_index(std::string_view torchaudio, const TorchBuild& build, const Knowledge& knowledge) {
  if (build.version < *PackageVersion::parse("2.11")) return true;
  const auto version = PackageVersion::parse(torchaudio);
  return version &&
         std::any_of(knowledge.torch_builds().begin(), knowledge.torch_builds().end(),
                     [&](const TorchBuild& other) {
                       return other.version == *version && other.channel == build.channel &&
                              other.build == build.build && other.platform == build.platform;
                     });
}

// Does a row of the very index, page or channel that `row` names name this version too? What a
// release pairs with is no promise that every index has it: 0.29.2 has no +cu126.
bool is_carried(std::string_view package, const PackageVersion& version, const InstallCommand& row,
                const TorchBuild& build, const Knowledge& knowledge) {
  const bool index = row.index_flag == "--index-url";
  if (index && package == "torchaudio" && !on_index(version.text(), build, knowledge)) return false;
  const std::string wanted = version.public_text();
  for (const InstallCommand& other : knowledge.install_commands()) {
    if (!contains(spec_of(other, package), wanted)) continue;
    if (other.manager != row.manager || other.index_url != row.index_url ||
        other.conda_channels != row.conda_channels || !is_on(other, build.platform))
      continue;
    const auto named = PackageVersion::parse(version_in(spec_of(other, package)));
    if (named && named->public_text() == wanted) return true;
  }
  return false;
}

bool allowed_by(const std::vector<Pin>& pins, std::string_view package,
                const PackageVersion& version) {
  return std::all_of(pins.begin(), pins.end(), [&](const Pin& pin) {
    return pin.package != package || pin.version.contains(version);
  });
}

// The releases of a package that go with a torch and that all its pins allow.
std::vector<PackageVersion> pinned_pairs(std::string_view package, const std::vector<Pin>& pins,
                                         const PackageVersion& torch, const Knowledge& knowledge) {
  std::vector<PackageVersion> out;
  const TorchRelease* own = release_of(torch, knowledge);
  if (own == nullptr || pair_cell(*own, package).empty()) return out;
  // Before the stable interfaces of 2.11 each release has its own pair alone (is_pair).
  const bool alone = torch < *PackageVersion::parse("2.11");
  for (const TorchRelease& release : knowledge.torch_releases()) {
    if (alone && pair_cell(release, package) != pair_cell(*own, package)) continue;
    const auto version = PackageVersion::parse(pair_cell(release, package));
    if (version && is_pair(package, *version, torch, knowledge) &&
        allowed_by(pins, package, *version))
      out.push_back(*version);
  }
  return out;
}

// The newest of them that the source of `row` carries.
std::optional<PackageVersion> carried_pair(std::string_view package, const std::vector<Pin>& pins,
                                           const TorchBuild& build, const InstallCommand& row,
                                           const Knowledge& knowledge) {
  std::optional<PackageVersion> best;
  for (const PackageVersion& version : pinned_pairs(package, pins, build.version, knowledge)) {
    if ((!best || *best < version) && is_carried(package, version, row, build, knowledge))
      best = version;
  }
  return best;
}

// PyPI's wheel is made for the CUDA of the torch that it was released with; libraries of one major
// are one (docs/compatibility.md).
bool pypi_serves(std::string_view package, const PackageVersion& version, const TorchBuild& build,
                 const Knowledge& knowledge) {
  return std::any_of(
      knowledge.torch_builds().begin(), knowledge.torch_builds().end(),
      [&](const TorchBuild& other) {
        if (other.pypi_default != "yes" || other.platform != build.platform || other.cuda.empty() ||
            build.cuda.empty() || other.cuda.major() != build.cuda.major())
          return false;
        const TorchRelease* release = release_of(other.version, knowledge);
        return release != nullptr && pair_cell(*release, package) == version.public_text();
      });
}

// Torchaudio alone is taken from PyPI beside a torch of an index.
std::optional<PackageVersion> pair_from_pypi(std::string_view package, const std::vector<Pin>& pins,
                                             const TorchBuild& build, const Knowledge& knowledge) {
  std::optional<PackageVersion> best;
  if (package != "torchaudio" || build.channel != "pip") return best;
  for (const PackageVersion& version : pinned_pairs(package, pins, build.version, knowledge)) {
    if ((!best || *best < version) && pypi_serves(package, version, build, knowledge))
      best = version;
  }
  return best;
}

void apply_pins(std::string& version, std::string_view package, const TorchBuild& build,
                const InstallCommand* row, const std::vector<Pin>& pins,
                const Knowledge& knowledge) {
  const auto own = PackageVersion::parse(version);
  const bool pinned =
      std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.package == package; });
  if (row == nullptr || !pinned || (own && allowed_by(pins, package, *own))) return;
  auto other = carried_pair(package, pins, build, *row, knowledge);
  if (!other) other = pair_from_pypi(package, pins, build, knowledge);
  if (other) version = other->text();
}

}  // namespace

const InstallCommand* install_row(const TorchBuild& build, const Knowledge& knowledge) {
  const InstallCommand* best = nullptr;
  for (const InstallCommand& row : knowledge.install_commands()) {
    if (is_for(row, build) && (best == nullptr || row_rank(row) > row_rank(*best))) best = &row;
  }
  return best;
}

const InstallCommand* pypi_row(const TorchBuild& build, const Knowledge& knowledge) {
  if (build.pypi_default != "yes") return nullptr;
  for (const InstallCommand& row : knowledge.install_commands()) {
    if (is_for(row, build) && is_pypi(row)) return &row;
  }
  return nullptr;
}

Specs specs_for(const TorchBuild& build, const InstallCommand* row, const std::vector<Pin>& pins,
                const Knowledge& knowledge) {
  Specs out;
  const TorchRelease* release = release_of(build.version, knowledge);
  out.torch = row == nullptr ? build.version.text() : version_in(row->torch_spec);
  if (out.torch.empty()) out.torch = build.version.text();
  if (row != nullptr) {
    out.torchvision = version_in(row->torchvision_spec);
    out.torchaudio = version_in(row->torchaudio_spec);
  }
  if (build.channel.starts_with("conda-forge") && release != nullptr) {
    out.torchvision = release->torchvision;
    out.torchaudio = release->torchaudio;
  }
  apply_pins(out.torchvision, "torchvision", build, row, pins, knowledge);
  apply_pins(out.torchaudio, "torchaudio", build, row, pins, knowledge);
  // The index of one CUDA: its wheels carry the local version, whatever the page's command says.
  const std::string local = "+" + std::string(build.build);
  if (row == nullptr || row->index_flag != "--index-url" || contains(out.torch, "+")) return out;
  if (build.local_version.empty() && build.platform == "linux-aarch64") return out;
  out.torch += local;
  if (!out.torchvision.empty()) out.torchvision += local;
  if (!out.torchaudio.empty() && on_index(out.torchaudio, build, knowledge))
    out.torchaudio += local;
  return out;
}

bool has_pair(std::string_view package, const std::vector<Pin>& pins, const TorchBuild& build,
              const Knowledge& knowledge) {
  const InstallCommand* row = install_row(build, knowledge);
  const TorchRelease* release = release_of(build.version, knowledge);
  const auto own =
      PackageVersion::parse(row != nullptr ? version_in(spec_of(*row, package)) : std::string());
  // A local version is the index's.
  const bool on_index_only = std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) {
    return pin.package == package && !pin.build.empty();
  });
  if (on_index_only)
    return row != nullptr && carried_pair(package, pins, build, *row, knowledge).has_value();
  if (own && allowed_by(pins, package, *own)) return true;
  if (build.channel == "conda-forge" &&
      release != nullptr) {  // its recipe pairs as the release does
    const auto pair = PackageVersion::parse(pair_cell(*release, package));
    return pair && allowed_by(pins, package, *pair);
  }
  return row != nullptr && (carried_pair(package, pins, build, *row, knowledge) ||
                            pair_from_pypi(package, pins, build, knowledge));
}

// docs/knowledge.md: torchvision 0.29.1 and later ask only for torch >= 2.14.0, torchaudio 2.11.1
// for torch >= 2.11 (2.11.0 is what official notes pair with all of them).
bool is_pair(std::string_view package, const PackageVersion& version, const PackageVersion& torch,
             const Knowledge& knowledge) {
  const auto public_torch = PackageVersion::parse(torch.public_text());
  const TorchRelease* release = public_torch ? release_of(*public_torch, knowledge) : nullptr;
  if (release == nullptr) return true;  // a release that is not known: nothing to compare with
  const std::string_view pair =
      package == "torchvision" ? release->torchvision : release->torchaudio;
  const auto newer = [&](std::string_view floor, std::string_view torch_floor) {
    return version >= *PackageVersion::parse(floor) &&
           *public_torch >= *PackageVersion::parse(torch_floor);
  };
  if (pair.empty() || pair == version.public_text()) return true;
  return package == "torchvision" ? newer("0.29.1", "2.14.0") : newer("2.11.0", "2.11.0");
}

PinnedTorches torches_of(const Pin& pin, const Knowledge& knowledge) {
  PinnedTorches out;
  for (const TorchRelease& release : knowledge.torch_releases()) {
    const auto pair = pin.package == "torch"
                          ? std::optional(release.version)
                          : PackageVersion::parse(pair_cell(release, pin.package));
    if (!pair) continue;
    const bool own = pin.version.contains(*pair);
    const bool beside = pin.package != "torch" && pin.package != "triton" &&
                        !pinned_pairs(pin.package, {pin}, release.version, knowledge).empty();
    if (own) out.own.push_back(release.version);
    if (own || beside) out.all.push_back(release.version);
  }
  return out;
}

}  // namespace kernelfit::solving
