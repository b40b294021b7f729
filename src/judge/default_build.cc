// SPDX-License-Identifier: Apache-2.0
#include "judge/default_build.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "judge/judge.h"
#include "pyenv/version_py.h"

namespace kernelfit {
namespace {

constexpr std::string_view kByDefault = "PyPI default build", kSeveral = "its version fits builds ";

std::string_view pair_of(const TorchRelease& release, std::string_view package) {
  return package == "torchvision" ? release.torchvision : release.torchaudio;
}

bool is_release(const TorchBuild& build, std::string_view package, const PackageVersion& version,
                const Knowledge& knowledge) {
  if (package == "torch") return build.version.text() == version.public_text();
  const auto& all = knowledge.torch_releases();
  return std::any_of(all.begin(), all.end(), [&](const TorchRelease& release) {
    return release.version == build.version && pair_of(release, package) == version.public_text();
  });
}

bool is_untagged(const TorchBuild& build) {
  return build.pypi_default == "yes" || (build.local_version.empty() && !build.cuda.empty());
}

bool is_named(const Library& library) {
  const auto version = PackageVersion::parse(library.version);
  return !version || !version->local().empty() || version->is_prerelease() ||
         !library.build.is_unknown() || !library.cuda.is_unknown();
}

bool is_of_conda(const Environment& environment, const Library& library) {
  return std::any_of(
      environment.packages.begin(), environment.packages.end(), [&](const Package& package) {
        const bool same =
            package.name == library.name || (library.name == "torch" && package.name == "pytorch");
        return same && (package.manager == "conda" || !package.build.empty());
      });
}

std::string names_of(const std::vector<const TorchBuild*>& builds) {
  std::vector<std::string> out;
  for (const auto* build : builds) out.emplace_back(build->build);
  return join(out, ", ");
}

void fill(Library& library, const std::vector<const TorchBuild*>& builds) {
  const std::string source(kByDefault);
  if (builds.size() > 1) {
    const std::string reason = std::string(kSeveral) + names_of(builds);
    library.build = Fact<std::string>::unknown(reason);
    library.cuda = Fact<DottedVersion>::unknown(reason);
    return;
  }
  const TorchBuild& build = *builds.front();
  library.build = Fact<std::string>::known(std::string(build.build), source);
  library.cuda = build.cuda.empty() ? Fact<DottedVersion>::absent(source)
                                    : Fact<DottedVersion>::known(build.cuda, source);
}

// Until PyPI had CUDA builds for Arm, the pairs on the indexes of one CUDA had no tags either.
void add_arm_pairs(std::vector<const TorchBuild*>& out, std::string_view package,
                   const PackageVersion& version, std::string_view platform,
                   const Knowledge& knowledge) {
  if (package == "torch" || platform != "linux-aarch64" || out.size() != 1) return;
  if (!out.front()->cuda.empty()) return;
  for (const auto& build : knowledge.torch_builds()) {
    const bool same = build.channel == "pip" && build.platform == platform &&
                      is_release(build, package, version, knowledge);
    if (same && !build.cuda.empty()) out.push_back(&build);
  }
}

}  // namespace

std::vector<const TorchBuild*> untagged_builds(std::string_view package,
                                               const PackageVersion& version,
                                               std::string_view platform,
                                               const Knowledge& knowledge) {
  std::vector<const TorchBuild*> out;
  for (const auto& build : knowledge.torch_builds()) {
    if (build.channel != "pip" || build.platform != platform || !is_untagged(build)) continue;
    if (!is_release(build, package, version, knowledge)) continue;
    const bool again = std::any_of(out.begin(), out.end(), [&](const TorchBuild* other) {
      return other->build == build.build;
    });
    if (!again) out.push_back(&build);
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const TorchBuild* build) { return build->pypi_default == "yes"; });
  add_arm_pairs(out, package, version, platform, knowledge);
  return out;
}

void name_default_builds(Machine& machine, const Knowledge& knowledge) {
  if (machine.pasted || machine.system.l4t.has()) return;
  const auto platform = text_of(platform_of(machine));
  for (auto& environment : machine.environments) {
    bool takes_pypi = false;  // torch comes first
    for (auto& library : environment.libraries) {
      const bool tagged =
          library.name == "torch" || library.name == "torchvision" || library.name == "torchaudio";
      if (!tagged || is_named(library) || is_of_conda(environment, library)) continue;
      const auto version = *PackageVersion::parse(library.version);
      auto builds = untagged_builds(library.name, version, platform, knowledge);
      // Who took torch from PyPI took the pair from there too.
      if (takes_pypi && builds.size() > 1) builds.erase(builds.begin() + 1, builds.end());
      if (!builds.empty()) fill(library, builds);
      takes_pypi = takes_pypi || (library.name == "torch" && is_default_build(library));
    }
  }
}

bool is_default_build(const Library& library) {
  return library.build.has() && library.build.source() == kByDefault;
}

bool is_one_of_several(const Library& library) {
  return library.build.is_unknown() && library.build.reason().starts_with(kSeveral);
}

}  // namespace kernelfit
