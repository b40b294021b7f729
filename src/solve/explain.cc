// SPDX-License-Identifier: Apache-2.0
#include "solve/explain.h"

#include <algorithm>

#include "base/text.h"
#include "judge/first_branch.h"
#include "solve/companions.h"
#include "solve/fitter.h"
#include "solve/host_conflict.h"
#include "solve/jetson.h"
#include "solve/python_fit.h"
#include "solve/rank.h"

namespace kernelfit::solving {
namespace {

// A reason names the cards that are its cause, no others.
template <typename Holds>
std::string cards_where(const Request& request, Holds holds) {
  std::vector<std::string> names;
  for (const Card& card : request.cards) {
    if (holds(card) && std::find(names.begin(), names.end(), card.label) == names.end())
      names.push_back(card.label);
  }
  return join(names, ", ");
}

std::string cards_text(const Request& request) {
  return cards_where(request, [](const Card&) { return true; });
}

template <typename Holds>
std::string gpus_where(const std::vector<PerGpu>& gpus, Holds holds) {
  std::vector<std::string> names;
  for (const PerGpu& gpu : gpus) {
    if (holds(gpu) && std::find(names.begin(), names.end(), gpu.gpu) == names.end())
      names.push_back(gpu.gpu);
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
  if (need.minimum.empty() || is_board(request)) return;  // a JetPack brings its own
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

bool has_newer_code(const Card& card, const TorchBuild& than, const Knowledge& knowledge) {
  const DottedVersion floor = cuda_floor(card, knowledge);
  for (const TorchBuild& build : knowledge.torch_builds()) {
    if (build.version <= than.version || build.platform != than.platform || build.cuda.empty() ||
        build.cuda < floor)
      continue;
    std::vector<GpuArch> archs = build.sass;
    archs.insert(archs.end(), build.ptx.begin(), build.ptx.end());
    if (!archs.empty() && runs(code_for(archs, code_rule(card, build.cuda)).verdict)) return true;
  }
  return false;
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
  const std::string without = cards_where(
      request, [&](const Card& card) { return !has_newer_code(card, build, knowledge); });
  // Each has code in a newer build, but not in the same one.
  const bool together = without.empty();
  answer.avoid.push_back({together ? "solve.avoid.newer-torch-together" : "solve.avoid.newer-torch",
                          {{"gpu", together ? cards_text(request) : without},
                           {"torch", build.version.text()},
                           {"newest", newest.version.text()}}});
}

}  // namespace

void say_wsl(Answer& answer, const Request& request, const Knowledge& knowledge) {
  if (request.os != "wsl" || !answer.choice) return;
  const std::string reported = cards_where(request, [&](const Card& card) {
    return wsl_support(card, knowledge) == WslSupport::reported;
  });
  if (!reported.empty())
    answer.caveats.push_back({"solve.caveat.wsl-reported", {{"gpu", reported}}});
}

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
  if (is_board(request)) answer.avoid.push_back({"solve.avoid.jetson-driver", {}});
  say_companions(answer, request, build.cuda, knowledge);
}

void explain_keep(Answer& answer, const Request& request, const std::string& installed,
                  const Candidate& fit, const Knowledge& knowledge) {
  const std::string driver = request.driver.has() ? "" : "-any-driver";
  answer.why.push_back(
      {"solve.why.keep" + driver, {{"installed", installed}, {"gpu", cards_text(request)}}});
  say_code(answer, request, fit);
  say_driver_floor(answer, request, fit);
  for (const PerGpu& gpu : fit.per_gpu) {
    if (gpu.runs == Verdict::ptx_jit)
      answer.caveats.push_back({"solve.caveat.ptx", {{"gpu", gpu.gpu}}});
  }
  // A nightly is judged by another release's row, whose libraries need not be its own.
  if (answer.choice && answer.choice->build != nullptr)
    say_linalg(answer, request, *answer.choice->build, knowledge);
  if (fit.build != nullptr) say_companions(answer, request, fit.build->cuda, knowledge);
}

void explain_installed(Answer& answer, const Request& request, const InstalledTorch& installed) {
  Fill values = {{"installed", installed.text},
                 {"gpu", cards_text(request)},
                 {"archs", arch_list_text(installed.as->sass)},
                 {"driver", request.driver.has() ? request.driver->text() : ""},
                 {"minimum", installed.fit.need.minimum.text()}};
  const auto without = [](const PerGpu& gpu) { return !runs(gpu.runs); };
  const auto no_cudnn = [](const PerGpu& gpu) { return gpu.runs != Verdict::native || !gpu.cudnn; };
  if (installed.without_cuda) {
    answer.why.push_back({"solve.why.installed-cpu", values});
  } else if (!installed.fit.has_code) {
    values[1].second = gpus_where(installed.fit.per_gpu, without);
    answer.why.push_back({"solve.why.installed-no-code", values});
  } else if (installed.fit.driver == Verdict::driver_too_old) {
    answer.why.push_back({"solve.why.installed-driver", values});
  } else if (!installed.fit.whole) {
    values[1].second = gpus_where(installed.fit.per_gpu, no_cudnn);
    answer.why.push_back({"solve.why.installed-cudnn", values});
  } else {
    answer.why.push_back({"solve.why.installed-other", values});
  }
  answer.avoid.push_back({"solve.avoid.satisfied", values});
}

// Two tables disagree on the card's first branch, and the driver lies between.
void say_doubtful_branch(Answer& answer, const Request& request, const Knowledge& knowledge) {
  for (const Card& card : request.cards) {
    if (!card.capability.has() || card.tegra || !request.driver.has()) continue;
    const FirstBranch first = first_branch_of(*card.capability, knowledge);
    Card by_range = card;
    by_range.first_branch = first.by_range;
    if (!first.is_doubtful() ||
        driver_precedes(by_range, *request.driver, driver_os(request), knowledge))
      continue;
    answer.caveats.push_back({"solve.caveat.first-branch",
                              {{"gpu", card.label},
                               {"listed", std::to_string(first.by_range)},
                               {"first", std::to_string(first.branch)},
                               {"cuda", first.cuda.text()}}});
  }
}

void explain_driver(Answer& answer, const Request& request, const Candidate& chosen,
                    const Knowledge& knowledge) {
  const DriverNeed& need = chosen.need;
  const DriverOs os = driver_os(request);
  const auto with_gpu = [](Fill values, std::string gpu) {
    values.back().second = std::move(gpu);
    return values;
  };
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
    answer.why.push_back({"solve.why.driver-too-new",
                          with_gpu(values, cards_where(request, [&](const Card& card) {
                                     return driver_dropped(card, *request.driver, os, knowledge);
                                   }))});
  } else {
    const std::string early = cards_where(request, [&](const Card& card) {
      return request.driver.has() && driver_precedes(card, *request.driver, os, knowledge);
    });
    answer.why.push_back(
        {early.empty() ? "solve.why.driver-too-old-torch" : "solve.why.driver-too-old",
         with_gpu(values, early)});
    if (!early.empty()) say_doubtful_branch(answer, request, knowledge);
  }
  const bool asked = request.driver.is_absent() || chosen.driver == Verdict::driver_too_new_for_gpu;
  if (need.last_branch == 0 || !asked) return;
  answer.avoid.push_back(
      {"solve.avoid.latest-driver", with_gpu(values, cards_where(request, [&](const Card& card) {
                                               return last_branch_of(card, os) == need.last_branch;
                                             }))});
}

void explain_python(Answer& answer, const Request& request, const Candidate& chosen,
                    const std::vector<Candidate>& all) {
  DottedVersion oldest, newest;
  bool others = false;  // other releases do serve this Python: it is the wish that does not
  for (const Candidate& candidate : all) {
    if (!candidate.native || !candidate.glibc_fits) continue;
    others = others || candidate.python_fits;
    for (const std::string_view word : split_words(candidate.build->python)) {
      const DottedVersion python = dotted(word);
      if (oldest.empty() || python < oldest) oldest = python;
      if (newest.empty() || python > newest) newest = python;
    }
  }
  answer.why.push_back({others ? "solve.why.python-of-torch" : "solve.why.python",
                        {{"python", request.python->text() + (request.free_threaded ? "t" : "")},
                         {"gpu", cards_text(request)},
                         {"oldest", oldest.text()},
                         {"newest", newest.text()},
                         {"torch", spec_text(*chosen.build)},
                         {"pythons", std::string(chosen.build->python)}}});
}

void explain_nothing(Answer& answer, const Request& request, const std::vector<Candidate>& all) {
  // What cannot serve together, not what could stand beside it.
  std::vector<std::string> named;
  bool wsl = false;
  const bool host = answer.cause.key == "solve.cause.host";
  if (answer.conflict) {
    for (const Conflict::Part& part : answer.conflict->parts) {
      if (part.kind == "gpu") named.push_back(part.value);
      wsl = wsl || part.because.key == "solve.conflict.gpu-wsl";
    }
  }
  const Fill values = {{"gpu", named.empty() ? cards_text(request) : join(named, ", ")}};
  const bool one = answer.conflict && answer.conflict->parts.size() == 1;
  answer.why.push_back({wsl                                       ? "solve.why.no-wsl"
                        : host                                    ? "solve.why.no-driver-for-all"
                        : named.size() > 1                        ? "solve.why.no-common"
                        : all.empty() && one && named.size() == 1 ? "solve.why.no-code-ever"
                                                                  : "solve.why.nothing",
                        values});
  const bool driver = answer.conflict && answer.conflict->asks_for("driver");
  answer.avoid.push_back({host     ? "solve.avoid.driver-for-all"
                          : driver ? "solve.avoid.toolkit-for-driver"
                                   : "solve.avoid.driver-adds-no-code",
                          values});
  // Fermi: CUDA 9 and newer cannot target it, and torch needs those.
  const bool fermi = std::all_of(request.cards.begin(), request.cards.end(), [](const Card& card) {
    return *card.capability < ComputeCapability{3, 0};
  });
  if (fermi) answer.avoid.push_back({"solve.avoid.source-build", values});
}

namespace {

std::string jetpack_text(const Request& request, const JetsonTorch& row) {
  return request.jetpack.empty() ? std::string(row.jetpack) : request.jetpack;
}

Fill jetson_values(const Request& request, const JetsonTorch& row) {
  const bool its_own = is_of_jetpack(row, request) && !request.jetpack.empty();
  return {{"gpu", cards_text(request)},
          {"jetpack", its_own ? request.jetpack : std::string(row.jetpack)},
          {"torch", std::string(row.torch)},
          {"release", std::string(row.ngc_release)},
          {"pythons", std::string(row.python)},
          {"python", request.python.has() ? request.python->first(2).text() : ""}};
}

}  // namespace

void explain_jetson(Answer& answer, const Request& request, const Choice& choice) {
  const JetsonTorch& row = *choice.jetson;
  const Fill values = jetson_values(request, row);
  answer.why.push_back({is_community(row)         ? "solve.why.jetson-community"
                        : row.ngc_release.empty() ? "solve.why.jetson-no-release"
                                                  : "solve.why.jetson",
                        values});
  if (!request.python.has() && choice.build_name == "wheel")
    answer.caveats.push_back({"solve.caveat.jetson-python", values});
  answer.avoid.push_back({"solve.avoid.jetson-pypi", {}});
  answer.avoid.push_back({"solve.avoid.jetson-sm80", {}});
}

void explain_jetson_python(Answer& answer, const Request& request, const Choice& choice) {
  answer.why.push_back({"solve.why.jetson-python", jetson_values(request, *choice.jetson)});
}

void explain_jetson_keep(Answer& answer, const Request& request, const InstalledTorch& installed,
                         bool newer_jetpack) {
  const Fill values = {{"installed", installed.text},
                       {"gpu", cards_text(request)},
                       {"made", std::string(installed.jetson->jetpack)},
                       {"jetpack", jetpack_text(request, *installed.jetson)}};
  answer.why.push_back({"solve.why.jetson-keep", values});
  if (newer_jetpack) answer.caveats.push_back({"solve.caveat.jetson-newer", values});
  if (installed.version.local().empty())
    answer.caveats.push_back({"solve.caveat.jetson-plain", values});
}

void explain_jetson_installed(Answer& answer, const Request& request,
                              const InstalledTorch& installed) {
  if (installed.jetson == nullptr) {
    explain_installed(answer, request, installed);
    // A community wheel has the plain version of the release, as PyPI's has.
    if (!installed.read && installed.version.local().empty())
      answer.caveats.push_back({"solve.caveat.jetson-maybe", {{"installed", installed.text}}});
    return;
  }
  answer.why.push_back({"solve.why.jetson-other",
                        {{"installed", installed.text},
                         {"made", std::string(installed.jetson->jetpack)},
                         {"jetpack", jetpack_text(request, *installed.jetson)}}});
}

}  // namespace kernelfit::solving
