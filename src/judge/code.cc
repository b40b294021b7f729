// SPDX-License-Identifier: Apache-2.0
#include "judge/code.h"

#include <algorithm>
#include <map>

namespace kernelfit {
namespace {

// 10.1 was renamed 11.0 in CUDA 13.0: each runs the other's code (docs/compatibility.md 1).
int renamed(int number) {
  return number == 101 ? 110 : number;
}

// Families of the 'f' targets: {10.0, 10.3, 10.7}, {11.0}, {12.0, 12.1} (docs/compatibility.md 1).
bool same_family(int a, int b) {
  return a / 10 == b / 10 && a >= 100;
}

// CUDA 13.2 allows server-Arm binaries on Jetson; torch 2.15.0 carries the same table.
bool by_sbsa_rule(int target, const CodeRule& rule) {
  if (!rule.sbsa_tegra_rule || rule.built_with < dotted("13.2")) return false;
  return target == 70 || target == 80 || target == 86;
}

bool sass_serves(int target, const CodeRule& rule) {
  int device = renamed(rule.capability.number());
  if (target == device) return true;
  if (target / 10 != device / 10 || target > device) return false;
  bool target_is_tegra = is_tegra(ComputeCapability::from_number(target));
  if (!rule.tegra) return !target_is_tegra;
  return !target_is_tegra && by_sbsa_rule(target, rule);
}

bool is_runnable(const GpuArch& arch) {
  return arch.kind != GpuArch::Kind::lto;
}

// The nearest SASS, plain before suffixed; else the newest PTX.
std::optional<GpuArch> best_of(const std::vector<GpuArch>& archs, const CodeRule& rule) {
  std::optional<GpuArch> best;
  auto better = [](const GpuArch& a, const GpuArch& b) {
    if (a.kind != b.kind) return a.kind == GpuArch::Kind::sass;
    if (a.number != b.number) return a.number > b.number;
    return a.suffix < b.suffix;
  };
  for (const auto& arch : archs) {
    if (serves(arch, rule) && (!best || better(arch, *best))) best = arch;
  }
  return best;
}

// Stub images of a few kB alone in their container prove nothing (docs/fatbin.md).
constexpr std::int64_t kSmallImage = std::int64_t{8} * 1024;
bool proves_nothing(const ContainerGroup& group) {
  return group.archs.size() <= 1 && group.containers <= 1 && group.code_bytes < kSmallImage;
}

using Sets = std::map<std::vector<GpuArch>, std::int64_t>;  // architecture set -> containers

Sets sets_of(const std::vector<BinaryImages>& binaries) {
  Sets sets;
  for (const auto& binary : binaries) {
    for (const auto& group : binary.groups) {
      if (group.relocatable || proves_nothing(group)) continue;
      std::vector<GpuArch> archs;
      std::copy_if(group.archs.begin(), group.archs.end(), std::back_inserter(archs), is_runnable);
      if (!archs.empty()) sets[archs] += std::max<std::int64_t>(group.containers, 1);
    }
  }
  return sets;
}

std::vector<GpuArch> union_of(const Sets& sets) {
  std::vector<GpuArch> all;
  for (const auto& [archs, count] : sets) all.insert(all.end(), archs.begin(), archs.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Of what a library chooses from at run time: an architecture in fewer than one of 500 of
// its containers (a probe of the hardware in cuBLASLt, what an older release left in cuDNN's
// engines) does not speak for the rest.
std::vector<GpuArch> common_of(const Sets& sets) {
  constexpr std::int64_t kFewest = 500;
  std::map<GpuArch, std::int64_t> counts;
  std::int64_t containers = 0;
  for (const auto& [archs, count] : sets) {
    containers += count;
    for (const auto& arch : archs) counts[arch] += count;
  }
  std::vector<GpuArch> out;
  for (const auto& [arch, count] : counts) {
    if (count * kFewest >= containers) out.push_back(arch);
  }
  return out;
}

// Of all the SASS of the library, what this set alone would serve: at least two thirds?
bool spans(const std::vector<GpuArch>& set, const std::vector<GpuArch>& all) {
  std::size_t cards = 0, served = 0;
  for (const auto& arch : all) {
    if (arch.kind != GpuArch::Kind::sass) continue;
    const CodeRule card{arch.capability(), false, false, {}};
    ++cards;
    served += std::any_of(set.begin(), set.end(), [&](const GpuArch& one) {
      return one.kind == GpuArch::Kind::sass && serves(one, card);
    });
  }
  return served * 3 >= cards * 2;
}

// A library that is built as a whole repeats one set of architectures, of (nearly) all the cards it
// is for, in its own containers; what it links in (cuBLAS, cuFFT, CUTLASS) has other sets, and does
// not speak for it. Where no such set is common, the library chooses among its containers at run
// time. Torch 1.7.1, 1.2.0 and 1.13.1 have it in 38, 33 and 32 of 100 containers; cuBLASLt 13,
// cuDNN's engines and cuFFT in 2, 6 and 0.
const std::vector<GpuArch>* own_set(const Sets& sets, const std::vector<GpuArch>& all) {
  std::int64_t containers = 0, most = 0;
  const std::vector<GpuArch>* own = nullptr;
  for (const auto& [archs, count] : sets) {
    containers += count;
    const bool better = count > most || (count == most && archs.size() > own->size());
    if (!better || !spans(archs, all)) continue;
    most = count;
    own = &archs;
  }
  return most * 4 >= containers ? own : nullptr;
}

// PTX that only the relocatable part of a linked library holds: the driver links it at load.
std::vector<GpuArch> linkable_ptx(const std::vector<BinaryImages>& binaries) {
  std::vector<GpuArch> out;
  for (const auto& binary : binaries) {
    for (const auto& group : binary.groups) {
      if (!group.relocatable) continue;
      for (const auto& arch : group.archs) {
        if (arch.kind == GpuArch::Kind::ptx) out.push_back(arch);
      }
    }
  }
  return out;
}

// Code for older and for newer cards, none for this one.
bool passes_over(const std::vector<GpuArch>& archs, const CodeRule& rule) {
  bool older = false, newer = false;
  for (const auto& arch : archs) {
    if (serves(arch, rule)) return false;
    (arch.number < rule.capability.number() ? older : newer) = true;
  }
  return older && newer;
}

}  // namespace

CodeRule code_rule(const Card& card, const DottedVersion& built_with) {
  return {card.capability.value_or({}), card.tegra, card.sbsa_tegra_rule, built_with};
}

bool serves(const GpuArch& arch, const CodeRule& rule) {
  int target = renamed(arch.number), device = renamed(rule.capability.number());
  if (arch.kind == GpuArch::Kind::lto) return false;
  if (arch.suffix == 'a') return target == device;
  if (arch.suffix == 'f') return same_family(target, device) && target <= device;
  if (arch.kind == GpuArch::Kind::sass) return sass_serves(target, rule);
  return target <= device;
}

CodeVerdict code_for(const std::vector<GpuArch>& archs, const CodeRule& rule) {
  CodeVerdict out;
  out.archs = archs;
  if (std::none_of(archs.begin(), archs.end(), is_runnable)) return out;
  out.used = best_of(archs, rule);
  out.needs_ptx = out.used && out.used->kind == GpuArch::Kind::ptx;
  out.verdict = !out.used ? Verdict::no_code : out.needs_ptx ? Verdict::ptx_jit : Verdict::native;
  return out;
}

CodeVerdict code_for(const std::vector<BinaryImages>& binaries, const CodeRule& rule,
                     bool dispatches) {
  Sets sets = sets_of(binaries);
  if (sets.empty()) return code_for(linkable_ptx(binaries), rule);
  const std::vector<GpuArch> all = union_of(sets);
  const std::vector<GpuArch>* own = dispatches ? nullptr : own_set(sets, all);
  std::vector<GpuArch> archs = own != nullptr ? *own : common_of(sets);
  CodeVerdict out = code_for(archs, rule);
  if (own == nullptr && out.verdict == Verdict::no_code) {
    const CodeVerdict rare = code_for(all, rule);
    if (rare.verdict != Verdict::no_code) {
      out = rare;
      out.verdict = Verdict::partial;
      out.missing = {rule.capability};
      return out;
    }
  }
  if (out.verdict == Verdict::no_code) {
    auto extra = linkable_ptx(binaries);
    archs.insert(archs.end(), extra.begin(), extra.end());
    if (!extra.empty()) out = code_for(archs, rule);
  }
  if (own == nullptr || out.verdict != Verdict::native) return out;
  for (const auto& [set, count] : sets) {
    if (!passes_over(set, rule)) continue;
    out.verdict = Verdict::partial;
    out.missing = {rule.capability};
  }
  return out;
}

}  // namespace kernelfit
