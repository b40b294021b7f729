// SPDX-License-Identifier: Apache-2.0
// Two builds side by side: which architectures, and which kernels where they are known, went and
// came. Files are matched by the name that they have in their archive or folder.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scan/scan.h"

namespace kernelfit {

struct ArchChange {
  GpuArch arch;
  std::int64_t before = 0, after = 0;  // images
};

struct KernelChange {
  GpuArch arch;
  std::vector<std::string> gone, came;  // mangled, sorted
};

struct FileChange {
  std::string name;                                    // as B has it, else A
  const FileScan *before = nullptr, *after = nullptr;  // null: the file itself went or came
  std::vector<ArchChange> archs;                       // those whose number of images differs
  std::vector<KernelChange> kernels;                   // those whose names differ
  bool differs() const { return !before || !after || !archs.empty() || !kernels.empty(); }
};

struct ScanSide {
  const ScanReport& scan;
  std::string path;  // what was named on the command line
};

// Files that hold GPU code, sorted by name. The sides outlive the answer.
std::vector<FileChange> compare_scans(const ScanSide& a, const ScanSide& b);

}  // namespace kernelfit
