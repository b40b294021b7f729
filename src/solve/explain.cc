// SPDX-License-Identifier: Apache-2.0
#include "solve/explain.h"

#include <algorithm>

#include "base/text.h"
#include "solve/python_fit.h"
#include "solve/rank.h"

namespace kernelfit::solving {
namespace {

std::string cards_text(const Request& request) {
  std::vector<std::string> names;
  for (const Card& card : request.cards) {
    if (std::find(names.begin(), names.end(), card.label) == names.end())
      names.push_back(card.label);
  }
  return join(names, ", ");
}

// "sm_60 code runs on compute capability 6.1", a line for each kind of card.
void say_code(Answer& answer, const Request& request, const Candidate& candidate) {
  std::vector<std::string> said;
  for (std::size_t i = 0; i < candidate.per_gpu.size(); ++i) {
    const PerGpu& gpu = candidate.per_gpu[i];
    const Card& card = request.cards[i];
    if (!gpu.used || std::find(said.begin(), said.end(), gpu.gpu) != said.end()) continue;
    said.push_back(gpu.gpu);
    answer.why.push_back(
        {gpu.runs == Verdict::ptx_jit ? "solve.why.ptx" : "solve.why.code",
         {{"gpu", gpu.gpu}, {"arch", gpu.used->text()}, {"capability", card.capability->text()}}});
  }
}

void say_driver_floor(Answer& answer, const Request& request, const Candidate& candidate) {
  const DriverNeed& need = candidate.need;
  if (need.minimum.empty()) return;
  const Fill values = {{"driver", request.driver.has() ? request.driver->text() : ""},
                       {"minimum", need.minimum.text()},
                       {"last", std::to_string(need.last_branch)},
                       {"cuda", candidate.build->cuda.text()}};
  if (request.driver.has() && candidate.driver == Verdict::native)
    answer.why.push_back({"solve.why.driver-serves", values});
  if (request.driver.is_unknown())
    answer.caveats.push_back({"solve.caveat.driver-unknown", values});
  if (need.last_branch > 0) answer.caveats.push_back({"solve.caveat.last-branch", values});
}

void say_doubts(Answer& answer, const Candidate& candidate) {
  const TorchBuild& build = *candidate.build;
  if (build.basis.confidence == Confidence::low)
    answer.caveats.push_back({"solve.caveat.low", {{"torch", spec_text(build)}}});
  say_third_party(answer, build.channel);
  for (std::size_t i = 0; i < candidate.per_gpu.size(); ++i) {
    const PerGpu& gpu = candidate.per_gpu[i];
    if (gpu.runs == Verdict::native && !gpu.cudnn)
      answer.caveats.push_back(
          {build.cudnn.empty() ? "solve.caveat.cudnn-unknown" : "solve.caveat.no-cudnn",
           {{"torch", spec_text(build)}, {"gpu", gpu.gpu}, {"cudnn", std::string(build.cudnn)}}});
    if (gpu.runs == Verdict::ptx_jit)
      answer.caveats.push_back({"solve.caveat.ptx", {{"gpu", gpu.gpu}}});
  }
}

// libraries/arch.csv, torch-linalg: MAGMA-backed torch.linalg of some default wheels lacks 7.5.
void say_linalg(Answer& answer, const Request& request, const TorchBuild& build,
                const Knowledge& knowledge) {
  if (build.channel != "pip" || build.platform != "linux-x86_64") return;
  for (const LibraryArch& row : knowledge.library_archs()) {
    if (row.library != "torch-linalg" || !contains_word(row.cuda, build.cuda.text())) continue;
    const auto low = PackageVersion::parse(row.version_min);
    const auto high = PackageVersion::parse(row.version_max);
    const auto floor = ComputeCapability::parse(row.capability_min);
    if (!low || !high || !floor || build.version < *low || build.version > *high) continue;
    for (const Card& card : request.cards) {
      if (*card.capability < *floor)
        answer.caveats.push_back(
            {"solve.caveat.linalg", {{"gpu", card.label}, {"torch", spec_text(build)}}});
    }
  }
}

void say_platform(Answer& answer, const Request& request) {
  if (request.os == "wsl") answer.avoid.push_back({"solve.avoid.wsl-driver", {}});
  if (request.os == "windows") answer.avoid.push_back({"solve.avoid.windows-pypi", {}});
}

// Newer releases exist, but none of their builds runs here.
void say_newer_lacks_code(Answer& answer, const Request& request, const TorchBuild& build,
                          const std::vector<Candidate>& all, const Knowledge& knowledge) {
  const TorchRelease& newest = knowledge.torch_releases().back();
  if (newest.version <= build.version) return;
  const bool any = std::any_of(all.begin(), all.end(), [&](const Candidate& candidate) {
    return candidate.build->version > build.version;
  });
  if (any) return;
  answer.avoid.push_back({"solve.avoid.newer-torch",
                          {{"gpu", cards_text(request)},
                           {"torch", build.version.text()},
                           {"newest", newest.version.text()}}});
}

void say_also(Answer& answer, const Request& request) {
  for (const std::string& package : request.also) {
    if (package == "torchvision" || package == "torchaudio" || package == "torch") continue;
    answer.caveats.push_back({"solve.caveat.also", {{"package", package}}});
  }
}

}  // namespace

void say_third_party(Answer& answer, std::string_view channel) {
  const std::string_view key = "solve.caveat.third-party";
  const bool said = std::any_of(answer.caveats.begin(), answer.caveats.end(),
                                [&](const Said& caveat) { return caveat.key == key; });
  if (!said && channel.starts_with("third-party"))
    answer.caveats.push_back({std::string(key), {{"channel", std::string(channel)}}});
}

std::string spec_text(const TorchBuild& build) {
  const std::string version = build.version.text();
  if (!build.channel.starts_with("conda")) return version + "+" + std::string(build.build);
  return version + " (" + std::string(build.build) + ", " + std::string(build.channel) + ")";
}

void explain_choice(Answer& answer, const Request& request, const Candidate& chosen,
                    const std::vector<Candidate>& all, const Knowledge& knowledge) {
  const TorchBuild& build = *chosen.build;
  const Fill values = {{"torch", spec_text(build)}, {"gpu", cards_text(request)}};
  const bool newest = std::none_of(all.begin(), all.end(), [&](const Candidate& other) {
    return other.fits && tier(other) >= tier(chosen) && other.build->version > build.version &&
           other.build->channel == build.channel;
  });
  answer.why.push_back({newest && chosen.whole ? "solve.why.newest" : "solve.why.fits", values});
  say_code(answer, request, chosen);
  say_driver_floor(answer, request, chosen);
  if (!request.python.has())
    answer.caveats.push_back(
        {"solve.caveat.python-unknown",
         {{"torch", spec_text(build)}, {"pythons", std::string(build.python)}}});
  say_doubts(answer, chosen);
  say_linalg(answer, request, build, knowledge);
  say_newer_lacks_code(answer, request, build, all, knowledge);
  say_platform(answer, request);
  say_also(answer, request);
}

void explain_keep(Answer& answer, const Request& request, const std::string& installed,
                  const Candidate& fit) {
  answer.why.push_back(
      {"solve.why.keep", {{"installed", installed}, {"gpu", cards_text(request)}}});
  say_code(answer, request, fit);
  say_driver_floor(answer, request, fit);
  for (const PerGpu& gpu : fit.per_gpu) {
    if (gpu.runs == Verdict::ptx_jit)
      answer.caveats.push_back({"solve.caveat.ptx", {{"gpu", gpu.gpu}}});
  }
}

void explain_installed(Answer& answer, const Request& request, const InstalledTorch& installed) {
  const Fill values = {{"installed", installed.text},
                       {"gpu", cards_text(request)},
                       {"archs", arch_list_text(installed.as->sass)},
                       {"driver", request.driver.has() ? request.driver->text() : ""},
                       {"minimum", installed.fit.need.minimum.text()}};
  if (installed.without_cuda) {
    answer.why.push_back({"solve.why.installed-cpu", values});
  } else if (!installed.fit.has_code) {
    answer.why.push_back({"solve.why.installed-no-code", values});
  } else if (installed.fit.driver == Verdict::driver_too_old) {
    answer.why.push_back({"solve.why.installed-driver", values});
  } else if (!installed.fit.whole) {
    answer.why.push_back({"solve.why.installed-cudnn", values});
  } else {
    answer.why.push_back({"solve.why.installed-other", values});
  }
  answer.avoid.push_back({"solve.avoid.satisfied", values});
}

void explain_driver(Answer& answer, const Request& request, const Candidate& chosen) {
  const DriverNeed& need = chosen.need;
  const Fill values = {{"driver", request.driver.has() ? request.driver->text() : ""},
                       {"to", chosen.driver_to_install ? chosen.driver_to_install->text() : ""},
                       {"minimum", need.minimum.text()},
                       {"last", std::to_string(need.last_branch)},
                       {"torch", spec_text(*chosen.build)},
                       {"cuda", chosen.build->cuda.text()},
                       {"gpu", cards_text(request)}};
  if (request.driver.is_absent()) {
    answer.why.push_back({"solve.why.no-driver", values});
    answer.avoid.push_back({"solve.avoid.toolkit-for-driver", {}});
  } else if (chosen.driver == Verdict::driver_too_new_for_gpu) {
    answer.why.push_back({"solve.why.driver-too-new", values});
    answer.avoid.push_back({"solve.avoid.latest-driver", values});
  } else {
    answer.why.push_back({"solve.why.driver-too-old", values});
  }
  if (need.last_branch > 0 && !request.driver.is_absent()) return;
  if (need.last_branch > 0) answer.avoid.push_back({"solve.avoid.latest-driver", values});
}

void explain_python(Answer& answer, const Request& request, const Candidate& chosen,
                    const std::vector<Candidate>& all) {
  DottedVersion oldest, newest;
  for (const Candidate& candidate : all) {
    if (!candidate.native || !candidate.glibc_fits) continue;
    for (const std::string_view word : split_words(candidate.build->python)) {
      const DottedVersion python = dotted(word);
      if (oldest.empty() || python < oldest) oldest = python;
      if (newest.empty() || python > newest) newest = python;
    }
  }
  answer.why.push_back({"solve.why.python",
                        {{"python", request.python->text() + (request.free_threaded ? "t" : "")},
                         {"gpu", cards_text(request)},
                         {"oldest", oldest.text()},
                         {"newest", newest.text()},
                         {"torch", spec_text(*chosen.build)},
                         {"pythons", std::string(chosen.build->python)}}});
}

void explain_nothing(Answer& answer, const Request& request, const std::vector<Candidate>& all) {
  const Fill values = {{"gpu", cards_text(request)}};
  const bool one = answer.conflict && answer.conflict->parts.size() == 1;
  answer.why.push_back({request.cards.size() > 1 ? "solve.why.no-common"
                        : all.empty() && one     ? "solve.why.no-code-ever"
                                                 : "solve.why.nothing",
                        values});
  answer.avoid.push_back({"solve.avoid.driver-adds-no-code", values});
  // Fermi: CUDA 9 and newer cannot target it, and torch needs those.
  const bool fermi = std::all_of(request.cards.begin(), request.cards.end(), [](const Card& card) {
    return *card.capability < ComputeCapability{3, 0};
  });
  if (fermi) answer.avoid.push_back({"solve.avoid.source-build", values});
}

void explain_jetson(Answer& answer, const Request& request, const JetsonTorch& row) {
  answer.why.push_back(
      {"solve.why.jetson",
       {{"gpu", cards_text(request)},
        {"jetpack", request.jetpack.empty() ? std::string(row.jetpack) : request.jetpack},
        {"torch", std::string(row.torch)},
        {"release", std::string(row.ngc_release)}}});
  answer.avoid.push_back({"solve.avoid.jetson-pypi", {}});
  answer.avoid.push_back({"solve.avoid.jetson-sm80", {}});
}

}  // namespace kernelfit::solving
