// SPDX-License-Identifier: Apache-2.0
#include "solve/rank.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace kernelfit::solving {
namespace {

// The index has it for this platform, the release's own commands leave it out.
bool left_out(std::string_view torch, std::string_view build, std::string_view platform,
              const Knowledge& knowledge) {
  bool any = false;
  for (const InstallCommand& row : knowledge.install_commands()) {
    if (row.torch != torch || row.build != build || row.manager != "pip" || row.index_flag.empty())
      continue;
    const auto platforms = split(row.platform, ';');
    if (std::find(platforms.begin(), platforms.end(), platform) == platforms.end()) continue;
    if (row.official != "no") return false;
    any = true;
  }
  return any;
}

}  // namespace

int tier(const Candidate& candidate) {
  if (!candidate.has_code) return 0;
  const int sure = candidate.build->basis.confidence == Confidence::low ? 0 : 1;
  if (candidate.whole) return kWholeLow + sure;
  if (candidate.native) return kNoCudnn - 1 + sure;
  return kPtx - 1 + sure;
}

int channel_rank(std::string_view channel) {
  if (channel == "pip") return 0;
  if (channel.starts_with("conda-pytorch")) return 1;
  if (channel == "conda-forge") return 2;
  return 3;
}

bool is_official(std::string_view channel) {
  return channel_rank(channel) < 2;
}

bool is_conda_channel(std::string_view channel, std::string_view conda) {
  if (conda.empty()) return false;
  return conda == "conda-forge" ? channel == conda : channel == "conda-" + std::string(conda);
}

Ranking::Ranking(std::string_view platform, const Knowledge& knowledge) {
  for (const std::string_view where : {std::string_view("linux-x86_64"), platform}) {
    for (const TorchBuild& build : knowledge.torch_builds()) {
      if (build.platform == where && build.pypi_default == "yes" && !build.cuda.empty())
        main_builds_[build.version.text()] = build.build;
    }
  }
  if (platform == "linux-x86_64") return;
  std::erase_if(main_builds_, [&](const auto& main) {
    return left_out(main.first, main.second, platform, knowledge);
  });
}

bool Ranking::is_main_build(const TorchBuild& build) const {
  const auto found = main_builds_.find(build.version.text());
  return found != main_builds_.end() && found->second == build.build;
}

bool Ranking::better(const Candidate& a, const Candidate& b, bool any_python) const {
  const int tier_a = tier(a), tier_b = tier(b);
  if (tier_a != tier_b) return tier_a > tier_b;
  const int channel_a = channel_rank(a.build->channel), channel_b = channel_rank(b.build->channel);
  if (!any_python && channel_a != channel_b) return channel_a < channel_b;
  if (a.build->version != b.build->version) return a.build->version > b.build->version;
  if (channel_a != channel_b) return channel_a < channel_b;
  const bool main_a = is_main_build(*a.build), main_b = is_main_build(*b.build);
  if (main_a != main_b) return main_a;
  if (a.build->cuda != b.build->cuda) return a.build->cuda > b.build->cuda;
  return a.build->basis.confidence > b.build->basis.confidence;
}

const Candidate* Ranking::best(const std::vector<const Candidate*>& among, bool any_python) const {
  const Candidate* best = nullptr;
  for (const Candidate* candidate : among) {
    if (best == nullptr || better(*candidate, *best, any_python)) best = candidate;
  }
  return best;
}

}  // namespace kernelfit::solving
