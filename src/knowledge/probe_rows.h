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

// gpus/tegra.csv: the chips of Jetson and DRIVE boards, whose code is made for them alone.
struct TegraRow {
  std::string_view compatible;  // "nvidia,tegra234" of the device tree; may be empty
  std::string_view name;        // as the CUDA driver calls it: "Orin"
  ComputeCapability capability;
  Basis basis;
};

// libraries/packages.csv: which packages concern GPUs (pyenv/gpu_packages.h says what each column
// means).
struct PackageRow {
  std::string_view name, pip_name, reads, folder, files;
  bool version_py = false;
  // "yes": what it is for runs on the GPU by code of its own, so that a card can be too old or too
  // new for it. "some": only some of its builds, or a part that works without. "no": none.
  std::string_view gpu_code;
  // What its own setup heeds when it is built for one card: "TORCH_CUDA_ARCH_LIST={capability}".
  std::string_view build_with;
  Basis basis;
};

// Rows that do not read are left out and are lines in `problems`.
std::vector<JetpackRow> jetpack_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems);
std::vector<TegraRow> tegra_rows(const Knowledge& knowledge, std::vector<std::string>& problems);
std::vector<PackageRow> package_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems);

}  // namespace kernelfit
