// SPDX-License-Identifier: Apache-2.0
#include "solve/fitter.h"

#include <algorithm>

#include "base/text.h"
#include "judge/cuda_floor.h"
#include "solve/jetson.h"
#include "solve/python_fit.h"

namespace kernelfit::solving {
namespace {

constexpr ComputeCapability kMaxwell{5, 0}, kTuring{7, 5};

// docs/compatibility.md 4: conda-forge's solver takes the newest cuDNN; for Maxwell, Pascal and
// Volta it must be held below 9.11. Kepler would need one below 8.8, which no table says its builds
// accept.
bool conda_forge_cudnn_serves(ComputeCapability capability) {
  return capability >= kMaxwell;
}

// conda-forge packages ask for a newer glibc than their table rows say (none does); a system that
// is older than the manylinux_2_28 line is not promised anything.
constexpr std::string_view kCondaForgeGlibc = "2.28";

// What a build says nothing of is not "any": the makers of torch's wheels took CentOS 7 long before
// the wheels were tagged manylinux2014.
constexpr std::string_view kLeastGlibc = "2.17";

// "9.10.2.21" lies in 9.0.0 to 9.10.2: a bound speaks only of as many parts as it has.
bool at_most(const DottedVersion& version, const DottedVersion& bound) {
  return version.first(bound.size()) <= bound;
}

// "11.x 12.x", "8.0-10.2", "10.2": the CUDA column of libraries/arch.csv.
bool cuda_cell_covers(std::string_view cell, const DottedVersion& cuda) {
  for (const std::string_view word : split_words(cell)) {
    if (word.ends_with(".x")) {
      if (parse_int(word.substr(0, word.size() - 2)) == cuda.major()) return true;
      continue;
    }
    const auto ends = split(word, '-');
    const auto low = DottedVersion::parse(ends.front());
    const auto high = DottedVersion::parse(ends.back());
    if (low && high && *low <= cuda && at_most(cuda, *high)) return true;
  }
  return cell.empty();
}

// A card of the same generation as the newest that a range names runs its code (8.9 under 8.6,
// 12.1 under 12.0); older than the oldest is what libraries drop.
bool in_range(const LibraryArch& row, ComputeCapability capability) {
  const auto minimum = ComputeCapability::parse(row.capability_min);
  const auto maximum = ComputeCapability::parse(row.capability_max);
  return minimum && maximum && *minimum <= capability && capability.major <= maximum->major;
}

bool version_in(const LibraryArch& row, const DottedVersion& version) {
  const auto low = DottedVersion::parse(row.version_min);
  const auto high = DottedVersion::parse(row.version_max);
  return low && *low <= version && (!high || at_most(version, *high));
}

}  // namespace

DottedVersion cuda_floor(const Card& card, const Knowledge& knowledge) {
  return card.capability.has() ? cuda_floor(*card.capability, knowledge) : DottedVersion();
}

// The pytorch channel and third parties build on the same systems as the release's wheels.
std::optional<DottedVersion> glibc_of_wheels(const TorchBuild& build, const Knowledge& knowledge) {
  std::optional<DottedVersion> least;
  for (const TorchBuild& other : knowledge.torch_builds()) {
    if (other.channel != "pip" || other.platform != build.platform ||
        other.version != build.version)
      continue;
    const auto floor = DottedVersion::parse(other.glibc_min);
    if (floor && (!least || *floor < *least)) least = floor;
  }
  return least;
}

bool glibc_serves(const TorchBuild& build, const Fact<DottedVersion>& glibc,
                  const Knowledge& knowledge) {
  if (glibc.is_absent()) return false;  // musl: no wheel and no conda package is made for it
  if (!glibc.has() || *glibc >= dotted(kCondaForgeGlibc)) return true;
  if (build.channel == "conda-forge") return false;
  auto minimum = DottedVersion::parse(build.glibc_min);
  if (!minimum && build.channel != "pip") minimum = glibc_of_wheels(build, knowledge);
  return *glibc >= minimum.value_or(dotted(kLeastGlibc));
}

DriverOs driver_os(const Request& request) {
  return request.os == "windows" || request.os == "wsl" ? DriverOs::windows : DriverOs::linux;
}

std::string platform(const Request& request) {
  const std::string cpu =
      request.cpu_arch == "amd64" || request.cpu_arch == "AMD64" ? "x86_64" : request.cpu_arch;
  if (request.os == "windows") return "windows-" + (cpu == "aarch64" ? "arm64" : cpu);
  return "linux-" + cpu;
}

std::string cudnn_pin(const TorchBuild& build, const std::vector<Card>& cards) {
  if (build.channel != "conda-forge" || build.cuda < dotted("12.0")) return {};
  const bool old = std::any_of(cards.begin(), cards.end(), [](const Card& card) {
    return card.capability.has() && *card.capability < kTuring;
  });
  return old ? "cudnn<9.11" : "";
}

Fitter::Fitter(const Request& request, const Knowledge& knowledge)
    : request_(request),
      knowledge_(knowledge),
      platform_(platform(request)),
      driver_os_(driver_os(request)),
      board_(is_board(request)),
      jetpack_cuda_(jetpack_cuda(request, knowledge)) {
  for (const Card& card : request.cards) cuda_floors_.push_back(cuda_floor(card, knowledge));
}

// A third party rebuilt the official scripts, so its cuDNN is that of the official build of the
// same name.
std::string_view Fitter::cudnn_of(const TorchBuild& build) const {
  if (!build.cudnn.empty() || !build.channel.starts_with("third-party")) return build.cudnn;
  for (const TorchBuild& other : knowledge_.torch_builds()) {
    if (other.channel == "pip" && other.build == build.build && other.platform == build.platform &&
        other.version == build.version)
      return other.cudnn;
  }
  return {};
}

// An unknown version serves a card only if every cuDNN of that CUDA does.
bool Fitter::cudnn_range_serves(std::string_view version, const DottedVersion& cuda,
                                ComputeCapability capability) {
  const auto key = std::make_tuple(version, cuda.text(), capability.number());
  const auto found = cudnn_answers_.find(key);
  if (found != cudnn_answers_.end()) return found->second;
  const auto exact = DottedVersion::parse(version);
  bool any = false, all = true;
  for (const LibraryArch& row : knowledge_.library_archs()) {
    if (row.library != "cudnn" || !cuda_cell_covers(row.cuda, cuda)) continue;
    if (exact && !version_in(row, *exact)) continue;
    any = true;
    all = all && in_range(row, capability);
  }
  // No row: 13.x rows say nothing against a card that the toolkit itself compiles for.
  return cudnn_answers_[key] = any ? all : capability >= kTuring;
}

bool Fitter::cudnn_serves(const TorchBuild& build, const Card& card) {
  if (!card.capability.has()) return false;
  if (build.channel == "conda-forge") return conda_forge_cudnn_serves(*card.capability);
  const std::string_view version = cudnn_of(build);
  // Cards that the newest cuDNN serves: the build would not list them without.
  if (version.empty() && *card.capability >= kTuring) return true;
  return cudnn_range_serves(version, build.cuda, *card.capability);
}

PerGpu Fitter::on_card(const std::vector<GpuArch>& archs, const TorchBuild& build,
                       const Card& card) {
  PerGpu out;
  out.gpu = card.label;
  if (!card.capability.has()) return out;
  const CodeVerdict code = code_for(archs, code_rule(card, build.cuda));
  out.runs = code.verdict;
  out.used = code.used;
  out.cudnn = runs(code.verdict) && cudnn_serves(build, card);
  return out;
}

const Fitter::DriverAnswer& Fitter::driver_answer(const TorchBuild& build, bool needs_ptx) {
  const NeedKey key{build.cuda.text(), build.cuda_full, needs_ptx};
  const auto found = driver_answers_.find(key);
  if (found != driver_answers_.end()) return found->second;
  DriverAnswer answer;
  answer.need =
      driver_needed(build.cuda, build.cuda_full, needs_ptx, request_.cards, driver_os_, knowledge_);
  answer.verdict = driver(build, answer.need);
  if (!board_ && !answer.need.impossible)
    answer.to_install = driver_to_install(answer.need, driver_os_, knowledge_);
  return driver_answers_[key] = std::move(answer);
}

DriverNeed Fitter::need(const TorchBuild& build, bool needs_ptx) {
  return driver_answer(build, needs_ptx).need;
}

// A Jetson's driver comes with its JetPack and serves the CUDA major that it came with.
Verdict Fitter::driver(const TorchBuild& build, const DriverNeed& need) const {
  if (!jetpack_cuda_.empty())
    return build.cuda.major() <= jetpack_cuda_.major() ? Verdict::native : Verdict::driver_too_old;
  if (board_) return Verdict::unknown;
  if (need.impossible) return Verdict::driver_too_new_for_gpu;
  return driver_serves(request_.driver, need, driver_os_, knowledge_);
}

void Fitter::fit_cards(const TorchBuild& build, Candidate& out) {
  std::vector<GpuArch> archs = build.sass;
  archs.insert(archs.end(), build.ptx.begin(), build.ptx.end());
  out.has_code = out.native = out.whole = !archs.empty() && !request_.cards.empty();
  for (std::size_t i = 0; i < request_.cards.size(); ++i) {
    out.per_gpu.push_back(on_card(archs, build, request_.cards[i]));
    PerGpu& here = out.per_gpu.back();
    if (!build.cuda.empty() && build.cuda < cuda_floors_[i]) {
      here.runs = Verdict::no_code;
      here.cudnn = false;
    }
    out.has_code = out.has_code && runs(here.runs);
    out.native = out.native && here.runs == Verdict::native;
    out.whole = out.whole && here.runs == Verdict::native && here.cudnn;
  }
  if (!out.has_code) return;
  const DriverAnswer& answer = driver_answer(build, !out.native);
  out.need = answer.need;
  out.driver = answer.verdict;
  out.driver_to_install = answer.to_install;
  // A driver that nothing is known of may well do; the answer then says which one it takes.
  const bool driver_fits = out.driver == Verdict::native ||
                           (out.driver == Verdict::unknown && request_.driver.is_unknown());
  out.fits = driver_fits && out.python_fits && out.glibc_fits && out.platform_fits;
}

Candidate Fitter::fit(const TorchBuild& build) {
  Candidate out;
  out.build = &build;
  out.platform_fits = build.platform == platform_;
  if (!out.platform_fits || build.cuda.empty()) return out;
  out.python_fits = request_.python.has()
                        ? serves_python(build, *request_.python, request_.free_threaded, knowledge_)
                        : !request_.free_threaded || build.channel == "pip";
  out.glibc_fits = glibc_serves(build, request_.glibc, knowledge_);
  fit_cards(build, out);
  return out;
}

Candidate Fitter::fit_installed(const TorchBuild& build) {
  Candidate out;
  out.build = &build;
  out.platform_fits = out.python_fits = out.glibc_fits = true;
  fit_cards(build, out);
  return out;
}

}  // namespace kernelfit::solving

namespace kernelfit {

std::vector<Candidate> candidates(const Request& request, const Knowledge& knowledge) {
  solving::Fitter fitter(request, knowledge);
  std::vector<Candidate> out;
  out.reserve(knowledge.torch_builds().size());
  for (const TorchBuild& build : knowledge.torch_builds()) out.push_back(fitter.fit(build));
  return out;
}

}  // namespace kernelfit
