// SPDX-License-Identifier: Apache-2.0
#include "solve/cpu.h"

#include "solve/explain.h"
#include "solve/fitter.h"
#include "solve/pairs.h"
#include "solve/python_fit.h"
#include "solve/wish.h"

namespace kernelfit::solving {
namespace {

constexpr std::string_view kCpu = "cpu";

std::optional<PackageVersion> installed_version(const Request& request) {
  for (const Installed& installed : request.installed) {
    if (installed.name == "torch") return PackageVersion::parse(installed.version);
  }
  return std::nullopt;
}

bool is_there(const std::optional<PackageVersion>& installed, const Wish& wish) {
  if (!installed || installed->local() != kCpu) return false;
  const auto version = PackageVersion::parse(installed->public_text());
  return version && wish.allows(*version, kCpu);
}

Choice choice_of(const TorchBuild& build, bool python_changes, const Request& request,
                 const Knowledge& knowledge) {
  Choice out;
  out.build = &build;
  out.torch = build.version.text();
  out.build_name = build.build;
  out.channel = build.channel;
  const Specs specs = specs_for(build, install_row(build, knowledge), request.pins, knowledge);
  out.torchvision = specs.torchvision;
  out.torchaudio = specs.torchaudio;
  const bool given = request.python.has() && !python_changes;
  out.python = given ? request.python->first(2) : best_python(build, knowledge);
  out.free_threaded = given && request.free_threaded;
  out.wheel_tags = wheel_tags(build, out.python, out.free_threaded, knowledge);
  out.confidence = build.basis.confidence;
  return out;
}

Answer kept(const PackageVersion& installed) {
  Answer answer;
  answer.verdict = PlanVerdict::keep;
  answer.choice.emplace();
  answer.choice->torch = installed.public_text();
  answer.choice->build_name = kCpu;
  answer.choice->channel = "pip";
  answer.why.push_back({"solve.why.cpu-is-there", {{"installed", installed.text()}}});
  return answer;
}

}  // namespace

// What nobody is sure of only where nothing surer serves.
const TorchBuild* cpu_build(const Request& request, const Wish& wish, bool any_python,
                            const Knowledge& knowledge) {
  const TorchBuild *best = nullptr, *unsure = nullptr;
  const std::string where = platform(request);
  for (const TorchBuild& build : knowledge.torch_builds()) {
    if (build.build != kCpu || build.channel != "pip" || build.platform != where) continue;
    if (!wish.granted_by(build)) continue;
    const bool serves = any_python || !request.python.has() ||
                        serves_python(build, *request.python, request.free_threaded, knowledge);
    if (!serves || !glibc_serves(build, request.glibc, knowledge)) continue;
    const TorchBuild*& place = build.basis.confidence == Confidence::low ? unsure : best;
    if (place == nullptr || build.version > place->version) place = &build;
  }
  return best != nullptr ? best : unsure;
}

std::optional<Choice> cpu_choice(const Request& request, const Knowledge& knowledge) {
  const TorchBuild* build = cpu_build(request, {}, false, knowledge);
  if (build == nullptr) return std::nullopt;
  return choice_of(*build, false, request, knowledge);
}

std::optional<Answer> answer_for_cpu(const Request& request, const Knowledge& knowledge) {
  const Wish wish = wish_of(request, knowledge);
  if (wish.build != kCpu) return std::nullopt;
  const auto installed = installed_version(request);
  if (is_there(installed, wish)) return kept(*installed);
  const TorchBuild* build = cpu_build(request, wish, false, knowledge);
  const bool python_changes = build == nullptr;
  if (python_changes) build = cpu_build(request, wish, true, knowledge);
  if (build == nullptr) return std::nullopt;
  Answer answer;
  answer.choice = choice_of(*build, python_changes, request, knowledge);
  answer.verdict = python_changes ? PlanVerdict::change_python
                   : installed    ? PlanVerdict::reinstall
                                  : PlanVerdict::install;
  answer.why.push_back({"solve.why.cpu-wanted", {{"torch", spec_text(*build)}}});
  if (build->basis.confidence == Confidence::low)
    answer.caveats.push_back({"solve.caveat.low", {{"torch", spec_text(*build)}}});
  if (python_changes) {
    answer.after_python = answer.choice->python;
    answer.why.push_back({"solve.why.cpu-python",
                          {{"torch", spec_text(*build)},
                           {"python", request.python->text()},
                           {"pythons", std::string(build->python)}}});
  }
  return answer;
}

}  // namespace kernelfit::solving
