// SPDX-License-Identifier: Apache-2.0
#include "judge/scan_verdicts.h"

#include <algorithm>
#include <map>

#include "nvidia/windows_text.h"

namespace kernelfit {
namespace {

std::vector<Card> chips_of(const Card& card) {
  return card.variants.empty() ? std::vector<Card>{card} : card.variants;
}

bool can_be_judged(const FileScan& file) {
  return !file.containers.empty() || !file.bare.empty() || !file.ptx_texts.empty();
}

// A file whose code decides nothing (a lone stub) is nobody's fault while others decide.
bool is_open(const ScanVerdict& one) {
  return one.answer.verdict == Verdict::unknown && one.answer.code.verdict != Verdict::unknown;
}

}  // namespace

std::optional<Fact<DottedVersion>> driver_from_text(std::string_view text) {
  if (text == "none") return Fact<DottedVersion>::absent("given");
  const bool branch = text.starts_with('R') || text.starts_with('r');
  auto version = DottedVersion::parse(text.substr(branch ? 1 : 0));
  if (version && version->size() == 4) version = nvidia_version_of_windows(text);
  // All branches since 2007 have three digits; "13.0" is nvidia-smi's CUDA Version.
  if (!version || version->major() < 100 || version->major() > 999) return {};
  return Fact<DottedVersion>::given(*version);
}

std::vector<ScanVerdict> judge_scan(const ScanReport& scan, const ScanQuestion& question,
                                    const Knowledge& knowledge) {
  std::vector<ScanVerdict> out;
  for (const auto& [text, gpu] : question.gpus) {
    for (const Card& chip : chips_of(identify(gpu, knowledge))) {
      const RunQuestion run{chip, question.driver, question.os, question.cpu_arch};
      for (const auto& file : scan.files) {
        if (!can_be_judged(file)) continue;
        out.push_back(
            {text, chip, &file, file_runs(file, run, knowledge), question.driver.has_value()});
      }
    }
  }
  return out;
}

CardFit fit_of(const std::string& gpu, const std::vector<ScanVerdict>& verdicts) {
  std::map<ComputeCapability, bool> chips;
  bool open = false, decided = false;
  for (const auto& one : verdicts) {
    if (one.gpu != gpu) continue;
    const Verdict verdict = one.answer.verdict;
    bool& fits = chips.try_emplace(one.card.capability.value_or({}), true).first->second;
    if (verdict != Verdict::unknown && !runs(verdict)) fits = false;
    open = open || is_open(one);
    decided = decided || verdict != Verdict::unknown;
  }
  const bool some_fail = std::ranges::any_of(chips, [](const auto& chip) { return !chip.second; });
  const bool all_fail = std::ranges::all_of(chips, [](const auto& chip) { return !chip.second; });
  if (some_fail) return all_fail ? CardFit::does_not_fit : CardFit::undecided;
  return open || !decided ? CardFit::undecided : CardFit::fits;
}

}  // namespace kernelfit
