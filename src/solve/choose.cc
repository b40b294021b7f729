// SPDX-License-Identifier: Apache-2.0
#include "solve/choose.h"

#include <algorithm>

#include "solve/jetson.h"
#include "solve/pairs.h"
#include "solve/python_fit.h"

namespace kernelfit::solving {

Chooser::Chooser(const Request& request, const Knowledge& knowledge)
    : request_(request),
      knowledge_(knowledge),
      fitter_(request, knowledge),
      ranking_(platform(request), knowledge) {
  for (const TorchBuild& build : knowledge.torch_builds()) {
    Candidate candidate = fitter_.fit(build);
    if (candidate.has_code) candidates_.push_back(std::move(candidate));
  }
}

bool Chooser::driver_fits(const Candidate& candidate) const {
  return candidate.driver == Verdict::native ||
         (candidate.driver == Verdict::unknown && request_.driver.is_unknown());
}

// Driver and glibc: a system is not exchanged for a torch, a driver may be.
bool Chooser::fits(const Candidate& candidate, bool any_driver) const {
  return candidate.glibc_fits &&
         (any_driver ? candidate.driver_to_install.has_value() : driver_fits(candidate));
}

const Candidate* Chooser::pick(const Wish& wish, bool any_driver, bool any_python) const {
  std::vector<const Candidate*> among;
  for (const Candidate& candidate : candidates_) {
    if (wish.granted_by(*candidate.build) && fits(candidate, any_driver) &&
        (any_python || candidate.python_fits))
      among.push_back(&candidate);
  }
  return ranking_.best(among, any_python);
}

Found Chooser::find(const Wish& wish) const {
  for (const auto& [driver, python] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    if (python && !request_.python.has()) continue;
    const Candidate* best = pick(wish, driver, python);
    if (best != nullptr && python) best = pick_for_python(*best, wish, driver);
    if (best != nullptr) return {best, driver, python};
  }
  return {};
}

// Once the Python is settled the order is that of a question with this Python.
const Candidate* Chooser::pick_for_python(const Candidate& newest, const Wish& wish,
                                          bool any_driver) const {
  const DottedVersion python = best_python(*newest.build, knowledge_);
  std::vector<const Candidate*> among;
  for (const Candidate& candidate : candidates_) {
    if (fits(candidate, any_driver) && wish.granted_by(*candidate.build) &&
        serves_python(*candidate.build, python, false, knowledge_) &&
        best_python(*candidate.build, knowledge_) == python)
      among.push_back(&candidate);
  }
  return among.empty() ? &newest : ranking_.best(among, false);
}

std::optional<Found> Chooser::same_version(const InstalledTorch& installed) const {
  const auto version = VersionSpecifier::parse("==" + installed.version.public_text());
  if (!version) return std::nullopt;
  const Candidate* best = pick({*version, {}}, false, false);
  if (best == nullptr || tier(*best) != kWhole || !is_official(best->build->channel))
    return std::nullopt;
  return Found{best, false, false};
}

std::optional<Found> Chooser::of_conda(const InstalledTorch& installed, const Wish& wish) const {
  std::vector<Wish> wishes = {wish};
  const auto version = VersionSpecifier::parse("==" + installed.version.public_text());
  if (wish.empty() && version) wishes.insert(wishes.begin(), Wish{*version, {}});
  const auto own = [&](const Candidate* candidate) {
    return is_conda_channel(candidate->build->channel, request_.conda_channel);
  };
  for (const Wish& one : wishes) {
    std::vector<const Candidate*> among;
    for (const Candidate& candidate : candidates_) {
      if (candidate.fits && tier(candidate) == kWhole && one.granted_by(*candidate.build) &&
          candidate.build->channel.starts_with("conda"))
        among.push_back(&candidate);
    }
    // the same version from its own channel; the newest from any: `pytorch` ended with 2.5.1
    const bool same = &one != &wishes.back();
    if (same && std::any_of(among.begin(), among.end(), own))
      std::erase_if(among, [&](const Candidate* candidate) { return !own(candidate); });
    if (const Candidate* best = ranking_.best(among, true)) return Found{best, false, false};
  }
  return std::nullopt;
}

const Candidate* Chooser::of_channel(int rank, const Found& found) const {
  std::vector<const Candidate*> among;
  for (const Candidate& candidate : candidates_) {
    if (channel_rank(candidate.build->channel) == rank && candidate.native &&
        fits(candidate, found.driver_changes) && (found.python_changes || candidate.python_fits) &&
        candidate.build->basis.confidence != Confidence::low)
      among.push_back(&candidate);
  }
  return ranking_.best(among, false);
}

const Candidate* Chooser::of_any_python(bool official) const {
  std::vector<const Candidate*> among;
  for (const Candidate& candidate : candidates_) {
    if (candidate.whole && fits(candidate, false) &&
        (!official || is_official(candidate.build->channel)))
      among.push_back(&candidate);
  }
  return ranking_.best(among, true);
}

Choice Chooser::choice(const Candidate& candidate) const {
  Choice out;
  const TorchBuild& build = *candidate.build;
  out.build = &build;
  out.build_name = build.build;
  out.channel = build.channel;
  out.torch = build.version.text();
  const Specs specs = specs_for(build, install_row(build, knowledge_), request_.pins, knowledge_);
  out.torchvision = specs.torchvision;
  out.torchaudio = specs.torchaudio;
  const bool serves = request_.python.has() && candidate.python_fits;
  out.python = serves ? request_.python->first(2) : best_python(build, knowledge_);
  out.free_threaded = request_.free_threaded && candidate.python_fits;
  out.wheel_tags = wheel_tags(build, out.python, out.free_threaded, knowledge_);
  if (!is_board(request_)) out.driver = candidate.need;
  out.per_gpu = candidate.per_gpu;
  for (PerGpu& gpu : out.per_gpu) {
    if (gpu.runs == Verdict::native && !gpu.cudnn) gpu.runs = Verdict::partial;
  }
  out.confidence = build.basis.confidence;
  return out;
}

}  // namespace kernelfit::solving
