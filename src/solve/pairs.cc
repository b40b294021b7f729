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

bool is_for(const InstallCommand& row, const TorchBuild& build) {
  const auto platforms = split(row.platform, ';');
  return row.torch == build.version.text() && row.build == build.build &&
         std::find(platforms.begin(), platforms.end(), build.platform) != platforms.end() &&
         same_channel(row, build.channel);
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

// The column of torch/releases.csv. Empty: the table does not say.
std::string_view pair_cell(const TorchRelease& release, std::string_view package) {
  if (package == "torchvision") return release.torchvision;
  if (package == "torchaudio") return release.torchaudio;
  return package == "triton" ? release.triton : std::string_view();
}

// The newest known release of a package that all its pins allow and that goes with this torch.
std::optional<PackageVersion> pinned_pair(std::string_view package, const std::vector<Pin>& pins,
                                          const PackageVersion& torch, const Knowledge& knowledge) {
  std::optional<PackageVersion> best;
  for (const TorchRelease& release : knowledge.torch_releases()) {
    const auto version = PackageVersion::parse(pair_cell(release, package));
    if (!version || (best && *version < *best) || !is_pair(package, *version, torch, knowledge))
      continue;
    const bool allowed = std::all_of(pins.begin(), pins.end(), [&](const Pin& pin) {
      return pin.package != package || pin.version.contains(*version);
    });
    if (allowed) best = version;
  }
  return best;
}

void apply_pins(std::string& version, std::string_view package, const TorchBuild& build,
                const std::vector<Pin>& pins, const Knowledge& knowledge) {
  const auto own = PackageVersion::parse(version);
  const bool refused = std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) {
    return pin.package == package && !(own && pin.version.contains(*own));
  });
  if (!refused) return;
  if (const auto other = pinned_pair(package, pins, build.version, knowledge))
    version = other->text();
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
  apply_pins(out.torchvision, "torchvision", build, pins, knowledge);
  apply_pins(out.torchaudio, "torchaudio", build, pins, knowledge);
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

std::vector<PackageVersion> torches_of(const Pin& pin, const VersionSpecifier& wanted,
                                       const Knowledge& knowledge) {
  std::vector<PackageVersion> own, beside;
  for (const TorchRelease& release : knowledge.torch_releases()) {
    if (pin.package == "torch") {
      if (pin.version.contains(release.version)) own.push_back(release.version);
      continue;
    }
    const auto pair = PackageVersion::parse(pair_cell(release, pin.package));
    if (!pair) continue;
    if (pin.version.contains(*pair)) own.push_back(release.version);
    if (pin.package != "triton" && pinned_pair(pin.package, {pin}, release.version, knowledge))
      beside.push_back(release.version);
  }
  const bool serves = std::any_of(own.begin(), own.end(), [&](const PackageVersion& version) {
    return wanted.contains(version);
  });
  return serves || beside.empty() ? own : beside;
}

}  // namespace kernelfit::solving
