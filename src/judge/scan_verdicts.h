// SPDX-License-Identifier: Apache-2.0
// Cards that somebody named, against what was scanned: a verdict for every chip and file, and what
// they come to.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/scanned.h"

namespace kernelfit {

struct ScanQuestion {
  std::vector<std::pair<std::string, Gpu>> gpus;  // as typed, and what it is
  std::optional<Fact<DottedVersion>> driver;      // nothing: not asked about
  std::string os, cpu_arch;                       // empty: any
};

// What `--driver` takes: "580.95.05", a branch as NVIDIA ("R580") or a packager ("580") writes it,
// Windows' own form "32.0.15.8129" (581.29), or "none". Nothing: it is none of them.
std::optional<Fact<DottedVersion>> driver_from_text(std::string_view text);

// A card that was named, against one file.
struct ScanVerdict {
  std::string gpu;  // as typed
  Card card;
  const FileScan* file = nullptr;
  RunAnswer answer;
  bool driver_given = false;
};

// Every variant of an ambiguous card is asked by itself; files without GPU code are left out. The
// answers point into `scan`.
std::vector<ScanVerdict> judge_scan(const ScanReport& scan, const ScanQuestion& question,
                                    const Knowledge& knowledge);

enum class CardFit { fits, does_not_fit, undecided };
// One card: does everything run there? Undecided where its chips differ, and where the files do not
// say.
CardFit fit_of(const std::string& gpu, const std::vector<ScanVerdict>& verdicts);

}  // namespace kernelfit
