// SPDX-License-Identifier: Apache-2.0
// The tables that say what to look for on a machine. Probes cannot see this room: cli hands the
// rows to them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace kernelfit {

// torch/jetpack.csv: which JetPack an L4T release belongs to.
struct JetpackRow {
  DottedVersion l4t;
  std::string_view jetpack;
  Basis basis;
};

// libraries/packages.csv: which packages concern GPUs (pyenv/gpu_packages.h says what each column
// means).
struct PackageRow {
  std::string_view name, pip_name, reads, folder, files;
  bool version_py = false;
  Basis basis;
};

// Rows that do not read are left out and are lines in `problems`.
std::vector<JetpackRow> jetpack_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems);
std::vector<PackageRow> package_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems);

}  // namespace kernelfit
