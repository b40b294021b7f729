// SPDX-License-Identifier: Apache-2.0
#include "judge/driver.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {

// "536-539" or "610": first parts of the Windows versions of a branch.
std::pair<int, int> windows_range(const DriverBranch& branch) {
  auto parts = split(branch.windows_versions, '-');
  int low = static_cast<int>(parse_int(parts.front()).value_or(0));
  return {low, static_cast<int>(parse_int(parts.back()).value_or(low))};
}

int first_major(const DriverBranch& branch, DriverOs os) {
  return os == DriverOs::windows ? windows_range(branch).first : branch.branch;
}

// A person who gives "580" names a branch, not a version.
bool is_bare(const DottedVersion& driver) {
  return driver.size() == 1;
}

// How far above the newest branch's number a version may be and still belong to it (615 -> 616.00).
constexpr int kNewestSpan = 4;

const DriverBranch* find_branch(int number, const Knowledge& knowledge) {
  for (const auto& branch : knowledge.driver_branches()) {
    if (branch.branch == number) return &branch;
  }
  return nullptr;
}

// The branch's number, also where the tables end: a driver newer than they are counts by itself.
int branch_number(const DottedVersion& driver, DriverOs os, const Knowledge& knowledge) {
  const auto* branch = branch_of(driver, os, knowledge);
  return branch != nullptr ? branch->branch : driver.major();
}

// Where a branch begins, as a version: "570" on Linux, "572"-like on Windows.
DottedVersion branch_begin(int number, DriverOs os, const Knowledge& knowledge) {
  const auto* branch = find_branch(number, knowledge);
  return dotted(std::to_string(branch != nullptr ? first_major(*branch, os) : number));
}

DottedVersion version_in(std::string_view cell) {
  auto version = DottedVersion::parse(cell);  // "N/A" and empty cells give none
  return version ? *version : DottedVersion();
}

DottedVersion floor_of(const CudaDriverMin& row, DriverOs os, bool minor) {
  if (minor) {
    return version_in(os == DriverOs::windows ? row.minor_compat_windows : row.minor_compat_linux);
  }
  return version_in(os == DriverOs::windows ? row.windows_min : row.linux_min);
}

bool conflicts(const Basis& basis) {
  return basis.note.starts_with("CONFLICT");
}

// A bare branch is at least its first release: the oldest that a toolkit's table names (525.60.13
// of R525), for no release before it is known to have served a CUDA.
DottedVersion at_least(const DottedVersion& driver, DriverOs os, const Knowledge& knowledge) {
  const auto* branch = is_bare(driver) ? find_branch(driver.major(), knowledge) : nullptr;
  if (branch == nullptr) return driver;
  DottedVersion first;
  for (const auto& row : knowledge.driver_minimums()) {
    auto version = floor_of(row, os, false);
    if (version.empty() || branch_of(version, os, knowledge) != branch) continue;
    if (first.empty() || version < first) first = version;
  }
  return first.empty() ? dotted(std::to_string(first_major(*branch, os))) : first;
}

// The release's own row, else the first release of this CUDA.
const CudaDriverMin* toolkit_row(const DottedVersion& cuda, std::string_view full,
                                 const Knowledge& knowledge) {
  const CudaDriverMin* first = nullptr;
  for (const auto& row : knowledge.driver_minimums()) {
    if (row.cuda != cuda.first(2) || conflicts(row.basis)) continue;
    if (!full.empty() && row.toolkit.text() == full) return &row;
    if (first == nullptr || row.toolkit < first->toolkit) first = &row;
  }
  return first;
}

// Where sources disagree, the lower floor: a driver that may well do is not called too old
// (CUDA 9.1: 390.46 or 387.26).
DottedVersion agreed_floor(const CudaDriverMin& row, DriverOs os, bool minor,
                           const Knowledge& knowledge) {
  auto floor = floor_of(row, os, minor);
  for (const auto& other : knowledge.driver_minimums()) {
    if (other.toolkit != row.toolkit || !conflicts(other.basis)) continue;
    auto lower = floor_of(other, os, minor);
    if (!lower.empty() && lower < floor) floor = lower;
  }
  return floor;
}

// Minor-version compatibility holds for the whole major: 12.7 has the floor of 12.6.
const CudaDriverMin* major_row(const DottedVersion& cuda, const Knowledge& knowledge) {
  for (const auto& row : knowledge.driver_minimums()) {
    if (row.cuda.major() == cuda.major() && row.cuda >= dotted("11.1")) return &row;
  }
  return nullptr;
}

const CudaToolkit* toolkit_of(const DottedVersion& cuda, const Knowledge& knowledge) {
  for (const auto& toolkit : knowledge.toolkits()) {
    if (toolkit.cuda == cuda.first(2)) return &toolkit;
  }
  return nullptr;
}

// No toolkit release table knows a full driver for it: the first branch that serves this CUDA.
DottedVersion first_driver_with(const DottedVersion& cuda, DriverOs os,
                                const Knowledge& knowledge) {
  for (const auto& branch : knowledge.driver_branches()) {
    if (branch.max_cuda >= cuda && branch.basis.confidence != Confidence::low) {
      return branch_begin(branch.branch, os, knowledge);
    }
  }
  return {};
}

void add_toolkit(DriverNeed& need, const DottedVersion& cuda, std::string_view full, bool needs_ptx,
                 DriverOs os, const Knowledge& knowledge) {
  const auto* row = toolkit_row(cuda, full, knowledge);
  if (row == nullptr) row = major_row(cuda, knowledge);
  if (row == nullptr) return;
  need.sources = row->basis.sources;
  need.minimum = agreed_floor(*row, os, !needs_ptx, knowledge);
  need.by_minor_compatibility = !needs_ptx && cuda >= dotted("11.1");
  if (!needs_ptx) return;
  if (row->cuda != cuda.first(2) || need.minimum.empty()) {
    need.minimum = first_driver_with(cuda.first(2), os, knowledge);
  }
  if (const auto* toolkit = toolkit_of(cuda, knowledge)) need.ptx_isa = toolkit->ptx_isa;
}

// A toolkit that compiles nothing as old as the card cannot hold code for it, nor PTX.
bool toolkit_dropped(const Card& card, const CudaToolkit& toolkit) {
  if (!card.capability.has() || toolkit.sass.empty()) return false;
  auto oldest =
      std::min_element(toolkit.sass.begin(), toolkit.sass.end(),
                       [](const GpuArch& a, const GpuArch& b) { return a.number < b.number; });
  return card.capability->number() < oldest->number;
}

DottedVersion last_driver_of(const Card& card, DriverOs os) {
  return os == DriverOs::windows ? card.last_driver_windows : DottedVersion();
}

void add_card(DriverNeed& need, const Card& card, DriverOs os) {
  need.first_branch = std::max(need.first_branch, card.first_branch);
  int last = last_branch_of(card, os);
  if (last != 0 && (need.last_branch == 0 || last < need.last_branch)) need.last_branch = last;
  const auto maximum = last_driver_of(card, os);
  if (!maximum.empty() && (need.maximum.empty() || maximum < need.maximum)) need.maximum = maximum;
}

// "410.129-diagnostic/410.104": the one that people can install.
DottedVersion installable(std::string_view cell) {
  return version_in(split(cell, '/').back());
}

// LTS, then production, then new-feature, then what is not rated; ended branches last.
int rank_of(const DriverBranch& branch) {
  if (contains(branch.status, "ended") || branch.status == "legacy") return 0;
  if (branch.status == "LTS") return 4;
  if (branch.status == "production") return 3;
  return branch.status == "new-feature" ? 2 : 1;
}

bool within(const DriverNeed& need, const DriverBranch& branch, const DottedVersion& version) {
  return !version.empty() && version >= need.minimum && branch.branch >= need.first_branch &&
         (need.last_branch == 0 || branch.branch <= need.last_branch) &&
         (need.ptx_isa.empty() || branch.max_ptx_isa >= need.ptx_isa);
}

}  // namespace

std::string_view text_of(Platform platform) {
  switch (platform) {
    case Platform::linux_x86_64: return "linux-x86_64";
    case Platform::linux_aarch64: return "linux-aarch64";
    case Platform::windows_x86_64: return "windows-x86_64";
    case Platform::other: return "other";
  }
  return "other";
}

const DriverBranch* branch_of(const DottedVersion& driver, DriverOs os,
                              const Knowledge& knowledge) {
  const auto& branches = knowledge.driver_branches();
  // On Windows no version begins with 525 or 550, but people call the branches so.
  if (const auto* named = find_branch(driver.major(), knowledge); named && is_bare(driver))
    return named;
  const DriverBranch* found = nullptr;
  for (const auto& branch : branches) {
    if (first_major(branch, os) <= driver.major()) found = &branch;
  }
  if (found == nullptr || found != &branches.back()) return found;
  int span = os == DriverOs::windows ? windows_range(*found).second : found->branch;
  return driver.major() <= span + kNewestSpan ? found : nullptr;
}

DriverNeed driver_needed(const DottedVersion& cuda, std::string_view cuda_full, bool needs_ptx,
                         const std::vector<Card>& cards, DriverOs os, const Knowledge& knowledge) {
  DriverNeed need;
  if (!cuda.empty()) add_toolkit(need, cuda, cuda_full, needs_ptx, os, knowledge);
  for (const auto& card : cards) add_card(need, card, os);
  if (need.first_branch != 0 && !need.minimum.empty()) {
    auto begin = branch_begin(need.first_branch, os, knowledge);
    if (branch_number(need.minimum, os, knowledge) < need.first_branch) need.minimum = begin;
  }
  if (need.minimum.empty() && cuda.empty() && need.first_branch != 0) {
    need.minimum = branch_begin(need.first_branch, os, knowledge);
  }
  if (need.last_branch != 0) {
    need.impossible = need.first_branch > need.last_branch ||
                      branch_number(need.minimum, os, knowledge) > need.last_branch;
  }
  const auto* toolkit = cuda.empty() ? nullptr : toolkit_of(cuda, knowledge);
  for (const auto& card : cards) {
    if (toolkit != nullptr && toolkit_dropped(card, *toolkit)) need.impossible = true;
  }
  if (!need.maximum.empty() && need.minimum > need.maximum) need.impossible = true;
  return need;
}

void set_ptx_isa(DriverNeed& need, const DottedVersion& isa, DriverOs os,
                 const Knowledge& knowledge) {
  need.ptx_isa = isa;
  for (const auto& branch : knowledge.driver_branches()) {
    if (branch.max_ptx_isa < isa) continue;
    need.minimum = std::max(need.minimum, branch_begin(branch.branch, os, knowledge));
    if (need.last_branch != 0 && branch.branch > need.last_branch) need.impossible = true;
    return;
  }
}

int last_branch_of(const Card& card, DriverOs os) {
  if (os == DriverOs::windows && card.last_branch_windows != 0) return card.last_branch_windows;
  return card.last_branch;
}

bool driver_dropped(const Card& card, const DottedVersion& driver, DriverOs os,
                    const Knowledge& knowledge) {
  const int last = last_branch_of(card, os);
  const auto maximum = last_driver_of(card, os);
  return (last != 0 && branch_number(driver, os, knowledge) > last) ||
         (!maximum.empty() && driver > maximum);
}

bool driver_precedes(const Card& card, const DottedVersion& driver, DriverOs os,
                     const Knowledge& knowledge) {
  return card.first_branch != 0 && branch_number(driver, os, knowledge) < card.first_branch;
}

Verdict driver_serves(const Fact<DottedVersion>& driver, const DriverNeed& need, DriverOs os,
                      const Knowledge& knowledge) {
  if (driver.is_absent()) return Verdict::no_driver;
  if (!driver.has()) return Verdict::unknown;
  int branch = branch_number(*driver, os, knowledge);
  if (need.last_branch != 0 && branch > need.last_branch) return Verdict::driver_too_new_for_gpu;
  if (!need.maximum.empty() && *driver > need.maximum) return Verdict::driver_too_new_for_gpu;
  if (need.first_branch != 0 && branch < need.first_branch) return Verdict::driver_too_old;
  if (need.minimum.empty()) return Verdict::unknown;
  if (at_least(*driver, os, knowledge) < need.minimum) return Verdict::driver_too_old;
  const auto* known = branch_of(*driver, os, knowledge);
  if (!need.ptx_isa.empty() && known != nullptr && known->max_ptx_isa < need.ptx_isa) {
    return Verdict::driver_too_old;
  }
  return Verdict::native;
}

std::optional<DottedVersion> driver_to_install(const DriverNeed& need, DriverOs os,
                                               const Knowledge& knowledge) {
  if (need.impossible) return {};
  std::optional<DottedVersion> best;
  int best_rank = -1;
  for (const auto& branch : knowledge.driver_branches()) {
    auto version = installable(os == DriverOs::windows ? branch.last_windows : branch.last_linux);
    if (!need.maximum.empty() && version > need.maximum) version = need.maximum;
    if (!within(need, branch, version) || rank_of(branch) < best_rank) continue;
    best_rank = rank_of(branch);
    best = version;
  }
  return best;
}

std::string_view module_flavor_for(const Card& card) {
  if (!card.capability.has() || card.tegra) return "";
  auto capability = *card.capability;
  if (capability.major >= 10 || card.form == "superchip") return "open";
  if (capability < ComputeCapability{7, 5}) return "proprietary";
  return card.label.find("GH200") != std::string::npos ? "open" : "";
}

}  // namespace kernelfit
