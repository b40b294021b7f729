// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "judge/evidence.h"
#include "judge/in_reach.h"
#include "judge/wsl.h"

namespace kernelfit {
namespace {

struct Context {
  const Machine& machine;
  const Knowledge& knowledge;
  DriverOs os;
};

std::string capability_text(const Card& card) {
  return card.capability.has() ? card.capability->text() : "?";
}

std::string branch_text(int branch) {
  return std::to_string(branch);
}

// All older than the card, all newer, or neither: three different sentences.
std::string_view no_code_key(const CodeVerdict& code, const Card& card) {
  bool older = false, newer = false;
  for (const auto& arch : code.archs) {
    (arch.number < card.capability->number() ? older : newer) = true;
  }
  if (card.tegra) return "judge.reason.no-code-tegra";
  if (older && !newer) return "judge.reason.no-code-newer-card";
  return newer && !older ? "judge.reason.no-code-older-card" : "judge.reason.no-code";
}

Said no_code_reason(const CodeVerdict& code, const LibrarySubject& subject, const Card& card) {
  if (subject.by_toolkit) {
    return {"judge.reason.toolkit-cannot",
            {{"cuda", subject.cuda.text()}, {"capability", capability_text(card)}}};
  }
  if (code.archs.empty() && subject.range && *card.capability < subject.range->minimum) {
    return {"judge.reason.library-too-new",
            {{"library", subject.library},
             {"version", subject.version},
             {"minimum", subject.range->minimum.text()},
             {"capability", capability_text(card)}}};
  }
  if (code.archs.empty() && subject.range) {
    return {"judge.reason.range-too-old",
            {{"library", subject.library},
             {"maximum", subject.range->maximum.text()},
             {"capability", capability_text(card)}}};
  }
  return {std::string(no_code_key(code, card)),
          {{"archs", arch_list_text(code.archs)}, {"capability", capability_text(card)}}};
}

Said code_reason(const CodeVerdict& code, const LibrarySubject& subject, const Card& card) {
  std::string arch = code.used ? code.used->text() : "";
  std::string capability = capability_text(card);
  switch (code.verdict) {
    case Verdict::native:
      if (!code.used) return {"judge.reason.in-range", {{"capability", capability}}};
      return {code.used->number == card.capability->number() ? "judge.reason.native"
                                                             : "judge.reason.native-compatible",
              {{"arch", arch}, {"capability", capability}}};
    case Verdict::ptx_jit:
      return {"judge.reason.ptx-jit", {{"arch", arch}, {"capability", capability}}};
    case Verdict::partial:
      return {"judge.reason.partial", {{"arch", arch}, {"capability", capability}}};
    case Verdict::no_code: return no_code_reason(code, subject, card);
    case Verdict::library_too_new:
      return {"judge.reason.library-too-new",
              {{"library", subject.library},
               {"version", subject.version},
               {"minimum", subject.range ? subject.range->minimum.text() : ""},
               {"capability", capability}}};
    default:
      if (subject.range && subject.range->listed_only && subject.library != "torch") {
        return {"judge.reason.above-listed",
                {{"library", subject.library},
                 {"version", subject.version},
                 {"minimum", subject.range->minimum.text()},
                 {"maximum", subject.range->maximum.text()},
                 {"capability", capability}}};
      }
      if (card.tegra && subject.library == "torch") return {"judge.reason.torch-unknown-board", {}};
      return {
          subject.library == "torch" ? "judge.reason.torch-unknown" : "judge.reason.code-unknown",
          {{"library", subject.library}}};
  }
}

Said driver_reason(Verdict verdict, const LibraryVerdict& row, const LibrarySubject& subject,
                   const Context& context) {
  auto driver = context.machine.driver.version;
  std::string version = driver.has() ? driver->text() : "";
  if (verdict == Verdict::no_driver) return {"judge.reason.no-driver", {}};
  if (verdict == Verdict::driver_too_new_for_gpu) {
    return {"judge.reason.driver-too-new",
            {{"driver", version}, {"branch", branch_text(row.driver.last_branch)}}};
  }
  std::string_view key = row.driver.impossible ? "judge.reason.driver-impossible"
                         : row.code.needs_ptx  ? "judge.reason.driver-too-old-ptx"
                                               : "judge.reason.driver-too-old";
  return {std::string(key),
          {{"driver", version},
           {"cuda", subject.cuda.text()},
           {"minimum", row.driver.minimum.text()},
           {"branch", branch_text(row.driver.last_branch)}}};
}

// A Jetson's driver comes with its L4T, and its own number (540.4.0, 580.00) is not one of the
// branches; JetPack upgrades CUDA within a major, not beyond.
bool goes_by_l4t(const Context& context, const Card& card) {
  return card.tegra && context.machine.system.l4t.has();
}

Verdict jetson_driver(const Context& context, const LibrarySubject& subject) {
  auto serves = jetson_cuda(*context.machine.system.l4t, context.knowledge);
  if (serves.empty() || subject.cuda.empty()) return Verdict::unknown;
  return subject.cuda.major() > serves.major() ? Verdict::driver_too_old : Verdict::native;
}

Said jetson_reason(const Context& context, const LibrarySubject& subject) {
  return {"judge.reason.jetson-cuda",
          {{"l4t", *context.machine.system.l4t},
           {"serves", jetson_cuda(*context.machine.system.l4t, context.knowledge).text()},
           {"cuda", subject.cuda.text()}}};
}

void add_file_isa(DriverNeed& need, const LibrarySubject& subject, const Context& context) {
  if (need.ptx_isa.empty()) return;
  DottedVersion highest;
  for (const auto& binary : subject.binaries) highest = std::max(highest, binary.ptx_isa);
  if (!highest.empty()) set_ptx_isa(need, highest, context.os, context.knowledge);
}

bool is_on_other_driver(const Machine& machine, int gpu) {
  const auto index = static_cast<std::size_t>(gpu);
  if (gpu < 0 || index >= machine.gpus.size()) return false;
  const auto& bound = machine.gpus[index].bound_driver;
  return machine.driver.module_loaded.is(true) && bound.has() && *bound != "nvidia";
}

// A version in /proc is a module of this kernel, not yet a driver that a program can use: inside a
// container without --gpus there is no library, and libraries of another version are refused.
std::optional<Said> out_of_reach(const Context& context, const Card& card, int gpu) {
  const Machine& machine = context.machine;
  const Driver& driver = machine.driver;
  if (machine.system.os.is("wsl") && wsl_support(card, context.knowledge) == WslSupport::none)
    return Said{"judge.reason.no-wsl", {{"capability", capability_text(card)}}};
  if (driver.version.state() != FactState::known) return std::nullopt;
  if (is_on_other_driver(machine, gpu)) {
    const auto& bound = machine.gpus[static_cast<std::size_t>(gpu)].bound_driver;
    return Said{"judge.reason.other-kernel-driver", {{"driver", *bound}}};
  }
  if (driver.nvml.is("version-mismatch")) {
    std::string library = driver.library_version.has() ? driver.library_version->text() : "?";
    return Said{"judge.reason.driver-mismatch",
                {{"driver", driver.version->text()}, {"library", library}}};
  }
  const bool no_library = machine.system.os.is("linux") && driver.library_path.is_absent() &&
                          driver.library_version.is_absent();
  if (no_library) return Said{"judge.reason.no-driver-library", {}};
  return std::nullopt;
}

void set(LibraryVerdict& row, Verdict verdict, Said reason) {
  row.verdict = verdict;
  row.reason = std::move(reason);
}

void judge_driver(LibraryVerdict& row, const LibrarySubject& subject, const Card& card,
                  const Context& context) {
  Verdict driver = goes_by_l4t(context, card)
                       ? jetson_driver(context, subject)
                       : driver_serves(context.machine.driver.version, row.driver, context.os,
                                       context.knowledge);
  auto reach = goes_by_l4t(context, card) ? std::nullopt : out_of_reach(context, card, row.gpu);
  if (reach && runs(row.code.verdict)) {
    set(row, Verdict::no_driver, *std::move(reach));
  } else if (driver == Verdict::native || driver == Verdict::unknown) {
    set(row, row.code.verdict, code_reason(row.code, subject, card));
  } else if (goes_by_l4t(context, card)) {
    set(row, driver, jetson_reason(context, subject));
  } else {
    set(row, driver, driver_reason(driver, row, subject, context));
  }
}

// vLLM on Windows: what its pages say of cards is of no use there.
Said other_platform_reason(const LibrarySubject& subject) {
  const bool linux_only = subject.made_for.find("windows") == std::string::npos;
  return {linux_only ? "judge.reason.linux-only" : "judge.reason.other-platform",
          {{"library", subject.library},
           {"version", subject.version},
           {"platforms", subject.made_for}}};
}

Said unlisted_reason(const LibrarySubject& subject) {
  if (!subject.made_for.empty()) return other_platform_reason(subject);
  const std::string key = subject.location.empty() ? "unlisted" : "unlisted-here";
  return {
      "judge.reason." + key,
      {{"library", subject.library}, {"version", subject.version}, {"location", subject.location}}};
}

// What does not depend on a card or a driver.
bool judge_itself(LibraryVerdict& row, const LibrarySubject& subject) {
  if (!subject.problem.empty()) {
    set(row, Verdict::broken, {"judge.reason.broken", {{"problem", subject.problem}}});
  } else if (!subject.other_backend.empty()) {
    set(row, Verdict::cpu_only, {"judge.reason.other-backend", {{"build", subject.other_backend}}});
  } else if (subject.cpu_only) {
    set(row, Verdict::cpu_only, {"judge.reason.cpu-only", {}});
  } else if (!subject.missing_file.empty()) {
    set(row, Verdict::broken,
        {"judge.reason.missing-file",
         {{"library", subject.library}, {"file", subject.missing_file}}});
  } else if (subject.unlisted) {
    set(row, Verdict::unknown, unlisted_reason(subject));
  } else {
    return false;
  }
  return true;
}

LibraryVerdict start(const LibrarySubject& subject, int gpu, int environment) {
  LibraryVerdict row;
  row.gpu = gpu;
  row.environment = environment;
  row.library = subject.library;
  row.version = subject.version;
  row.basis = subject.basis;
  row.basis_detail = subject.detail;
  row.confidence = subject.confidence;
  return row;
}

// PyTorch's build of this version has no code for the card, a third party's has.
bool may_be_twin(const LibrarySubject& subject, const CodeVerdict& code, const Card& card) {
  return code.verdict == Verdict::no_code && !subject.twin_archs.empty() &&
         runs(code_for(subject.twin_archs, code_rule(card, subject.cuda)).verdict);
}

LibraryVerdict judge_card(const LibrarySubject& subject, LibraryVerdict row, const Card& card,
                          const Context& context) {
  row.code = code_of(subject, card);
  row.archs = row.code.archs;
  if (row.code.verdict == Verdict::no_code || row.code.verdict == Verdict::library_too_new) {
    row.driver = driver_needed(subject.cuda, subject.cuda_full, false, {card}, context.os,
                               context.knowledge);
    set(row, row.code.verdict, code_reason(row.code, subject, card));
    if (may_be_twin(subject, row.code, card)) {
      row.confidence = std::min(row.confidence, Confidence::medium);
      row.reason.values.emplace_back("maker", subject.twin);
    }
    return row;
  }
  row.driver = driver_needed(subject.cuda, subject.cuda_full, row.code.needs_ptx, {card},
                             context.os, context.knowledge);
  add_file_isa(row.driver, subject, context);
  judge_driver(row, subject, card, context);
  return row;
}

void add_archs(std::vector<GpuArch>& all, const std::vector<GpuArch>& more) {
  for (const auto& arch : more) {
    if (std::find(all.begin(), all.end(), arch) == all.end()) all.push_back(arch);
  }
  std::sort(all.begin(), all.end(), [](const GpuArch& a, const GpuArch& b) {
    return std::tuple(a.kind, a.number, a.suffix) < std::tuple(b.kind, b.number, b.suffix);
  });
}

// What its builds for the CUDAs that this driver runs would do.
std::vector<std::pair<std::string, LibraryVerdict>> for_each_cuda(const LibrarySubject& subject,
                                                                  const LibraryVerdict& row,
                                                                  const Card& card,
                                                                  const Context& context) {
  std::vector<std::pair<std::string, LibraryVerdict>> all;
  for (const auto& one : subject.for_cuda) {
    LibraryVerdict itself = row;
    const bool decided = judge_itself(itself, one);
    all.emplace_back(one.cuda_text,
                     decided ? std::move(itself) : judge_card(one, row, card, context));
  }
  auto within = all;
  std::erase_if(within, [&](const auto& one) {
    Verdict driver = driver_serves(context.machine.driver.version, one.second.driver, context.os,
                                   context.knowledge);
    return driver == Verdict::driver_too_old;
  });
  return within.empty() ? all : within;
}

// A release whose wheels go without a tag in two places. torchaudio does not tell its CUDA.
Said which_build(const std::vector<std::pair<std::string, LibraryVerdict>>& builds,
                 const LibrarySubject& subject) {
  std::vector<std::string> names;
  names.reserve(builds.size());
  for (const auto& [build, row] : builds) names.push_back(build);
  const bool tells = subject.library != "torchaudio";
  return {tells ? "judge.reason.which-build" : "judge.reason.which-build-untold",
          {{"builds", join(names, ", ")}, {"library", subject.library}}};
}

Said depends_on_cuda(const std::vector<std::pair<std::string, LibraryVerdict>>& builds,
                     const Card& card) {
  std::string good, others;
  const bool all_run = std::all_of(builds.begin(), builds.end(),
                                   [](const auto& one) { return runs(one.second.verdict); });
  for (const auto& [cuda, row] : builds) {
    const bool is_good = all_run ? row.verdict == Verdict::native : runs(row.verdict);
    auto& list = is_good ? good : others;
    list += (list.empty() ? "" : ", ") + cuda;
  }
  return {all_run ? "judge.reason.depends-on-cuda-ptx" : "judge.reason.depends-on-cuda",
          {{"good", good}, {"others", others}, {"capability", capability_text(card)}}};
}

// Nobody knows the CUDA of the torch that it stands beside: certain only where all its builds
// agree.
LibraryVerdict judge_builds(const LibrarySubject& subject, LibraryVerdict row, const Card& card,
                            const Context& context) {
  const auto builds = for_each_cuda(subject, row, card, context);
  LibraryVerdict common = builds.front().second;
  bool agree = true;
  for (const auto& [cuda, one] : builds) {
    agree = agree && one.verdict == common.verdict;
    add_archs(row.archs, one.archs);
  }
  if (!agree) {
    set(row, Verdict::unknown,
        subject.one_of_several ? which_build(builds, subject) : depends_on_cuda(builds, card));
    return row;
  }
  common.archs = row.archs;
  common.code.archs = row.archs;
  if (common.verdict == Verdict::no_code) common.reason = code_reason(common.code, subject, card);
  return common;
}

LibraryVerdict judge_known_card(const LibrarySubject& subject, LibraryVerdict row, const Card& card,
                                const Context& context) {
  return subject.for_cuda.empty() ? judge_card(subject, std::move(row), card, context)
                                  : judge_builds(subject, std::move(row), card, context);
}

// An ambiguous card without a PCI id: certain only where all its chips agree.
LibraryVerdict judge_variants(const LibrarySubject& subject, LibraryVerdict row, const Card& card,
                              const Context& context) {
  std::optional<LibraryVerdict> common;
  for (const auto& variant : card.variants) {
    auto one = judge_known_card(subject, row, variant, context);
    if (common && common->verdict != one.verdict) {
      set(row, Verdict::unknown, {"judge.reason.variants-differ", {{"card", card.label}}});
      return row;
    }
    common = one;
  }
  return *common;
}

LibraryVerdict judge_library(const LibrarySubject& subject, int gpu, int environment,
                             const Card& card, const Context& context) {
  LibraryVerdict row = start(subject, gpu, environment);
  if (judge_itself(row, subject)) return row;
  if (!card.variants.empty()) return judge_variants(subject, std::move(row), card, context);
  if (card.capability.has()) return judge_known_card(subject, std::move(row), card, context);
  if (context.machine.driver.version.is_absent()) {
    set(row, Verdict::no_driver, {"judge.reason.no-driver", {}});
  } else {
    set(row, Verdict::unknown, {"judge.reason.capability-unknown", {{"card", card.label}}});
  }
  return row;
}

LibraryVerdict judge_without_gpu(const LibrarySubject& subject, int environment,
                                 const Context& context) {
  LibraryVerdict row = start(subject, -1, environment);
  if (judge_itself(row, subject)) return row;
  if (cards_unknown(context.machine)) {
    set(row, Verdict::unknown, {"judge.reason.gpu-unknown", {}});
  } else {
    set(row, Verdict::no_gpu, {"judge.reason.no-gpu", {}});
  }
  return row;
}

void judge_environment(Judgement& judgement, int index, const Context& context) {
  const auto& environment = context.machine.environments[static_cast<std::size_t>(index)];
  auto platform = platform_of(context.machine);
  const std::string l4t = context.machine.system.l4t.value_or("");
  for (const auto& subject : subjects_of(environment, platform, l4t, context.knowledge)) {
    if (judgement.cards.empty() && !is_part_of_torch(subject.library)) {
      judgement.verdicts.push_back(judge_without_gpu(subject, index, context));
    }
    for (std::size_t gpu = 0; gpu < judgement.cards.size(); ++gpu) {
      judgement.verdicts.push_back(
          judge_library(subject, static_cast<int>(gpu), index, judgement.cards[gpu], context));
    }
  }
}

int l4t_major(std::string_view l4t) {
  if (l4t.starts_with("R")) l4t.remove_prefix(1);
  auto digits = l4t.substr(0, l4t.find_first_not_of("0123456789"));
  return static_cast<int>(parse_int(digits).value_or(0));
}

// The server-Arm exception needs the board's JetPack 7 driver, L4T 38 (docs/compatibility.md 1).
void set_sbsa_rule(Card& card, const Machine& machine) {
  if (!card.capability.has() || !machine.system.l4t.has()) return;
  int number = card.capability->number();
  card.sbsa_tegra_rule = (number == 72 || number == 87) && l4t_major(*machine.system.l4t) >= 38;
}

}  // namespace

bool is_part_of_torch(std::string_view library) {
  constexpr auto kParts =
      std::to_array<std::string_view>({"cudnn", "cublas", "nccl", "cufft", "cusolver", "cusparse",
                                       "curand", "triton", "torch.linalg"});
  return std::find(kParts.begin(), kParts.end(), library) != kParts.end();
}

Platform platform_of(const Machine& machine) {
  std::string os = machine.system.os.value_or("linux");
  std::string arch = machine.system.cpu_arch.value_or("x86_64");
  if (os == "windows") return arch == "x86_64" ? Platform::windows_x86_64 : Platform::other;
  if (arch == "x86_64") return Platform::linux_x86_64;
  return arch == "aarch64" ? Platform::linux_aarch64 : Platform::other;
}

DriverOs driver_os_of(const Machine& machine) {
  return machine.system.os.value_or("linux") == "linux" ? DriverOs::linux : DriverOs::windows;
}

DottedVersion jetson_cuda(std::string_view l4t, const Knowledge& knowledge) {
  int major = l4t_major(l4t);
  DottedVersion highest;
  for (const auto& row : knowledge.jetson_torch()) {
    if (l4t_major(row.l4t) != major || row.l4t.ends_with("+")) continue;
    auto last = row.cuda.substr(row.cuda.find_last_of('-') + 1);
    if (auto cuda = DottedVersion::parse(last)) highest = std::max(highest, *cuda);
  }
  return highest;
}

Judgement judge(const Machine& machine, const Knowledge& knowledge) {
  Judgement judgement;
  for (const auto& gpu : machine.gpus) {
    judgement.cards.push_back(identify(gpu, knowledge));
    set_sbsa_rule(judgement.cards.back(), machine);
  }
  Context context{machine, knowledge, driver_os_of(machine)};
  for (std::size_t i = 0; i < machine.environments.size(); ++i) {
    judge_environment(judgement, static_cast<int>(i), context);
  }
  return judgement;
}

}  // namespace kernelfit
