// SPDX-License-Identifier: Apache-2.0
// `kernelfit scan`: what a ScanReport says in the formats of report.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/coverage.h"
#include "report/report.h"
#include "scan/scan.h"

namespace kernelfit {

// Images of one architecture.
struct ImageCount {
  GpuArch arch;
  std::int64_t images = 0;
  std::optional<std::int64_t> kernels, empty;  // where every image of it was decoded
};

// One file, or all of them together, counted.
struct ScanCounts {
  std::vector<ImageCount> sass, ptx, lto;                     // sorted by architecture
  std::vector<ImageCount> relocatable_sass, relocatable_ptx;  // of __nv_relfatbin, linked files
  std::vector<ImageCount> bare;                               // cubins outside any container
  std::string compression;                                    // "lz4 zstd", "none", "" no image
  DottedVersion ptx_isa;                                      // highest
  void add(const FileScan& file);
};
ScanCounts count_images(const FileScan& file);

// A card that --gpu names, against everything that was scanned.
struct ScanVerdict {
  std::string gpu;  // as typed
  Card card;
  std::string path, member;  // of the file
  Verdict verdict = Verdict::unknown;
};

struct ScanAnswer {
  const ScanReport& scan;
  const Knowledge& knowledge;
  std::vector<ScanVerdict> verdicts;  // with --gpu
  bool kernels = false;               // --kernels: names are wanted
  bool archs_only = false;            // --archs
  Remarks remarks;
};
std::string render_scan(const ScanAnswer& answer, const Style& style, const Catalogue& say);

}  // namespace kernelfit
