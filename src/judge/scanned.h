// SPDX-License-Identifier: Apache-2.0
// What a scanned file needs, and whether it runs on a card with a driver: the rule of the code
// (judge/code.h) and that of the driver (judge/driver.h) together.
#pragma once
#include <optional>
#include <string>

#include "judge/code.h"
#include "judge/driver.h"
#include "scan/scan.h"

namespace kernelfit {

// The CUDA toolkit that built the file: what its images say, else the major of the CUDA libraries
// that it needs ("libcudart.so.12", "cudart64_110.dll"); empty: not known.
DottedVersion toolkit_of(const FileScan& file);
// Windows for its programs and libraries, Linux for everything else.
DriverOs driver_os_of(const FileScan& file);
// The driver that this file's machine code needs by the minor-version rule; empty: not known.
DottedVersion minimum_driver(const FileScan& file, const Knowledge& knowledge);
// The first driver branch that compiles this PTX; 0: not known.
int branch_for_ptx(const DottedVersion& isa, const Knowledge& knowledge);

// Kernels of the file that no image for this card holds, with ScanOptions::kernels; SASS and PTX
// alike. Sorted.
std::vector<std::string> missing_kernels(const FileScan& file, const CodeRule& rule);

struct RunQuestion {
  Card card;                                  // of one capability
  std::optional<Fact<DottedVersion>> driver;  // nothing: not asked about
  std::string os, cpu_arch;                   // "linux", "windows", "wsl"; empty: any
};

struct RunAnswer {
  Verdict verdict = Verdict::unknown;
  CodeVerdict code;  // what the file's code alone would do
  DriverNeed need;   // what it asks of the driver
};
// Unknown, not `no_code`, for a file that could not be read whole.
RunAnswer file_runs(const FileScan& file, const RunQuestion& question, const Knowledge& knowledge);

}  // namespace kernelfit
