// SPDX-License-Identifier: Apache-2.0
// Jetson boards: the L4T release, the JetPack that carried it, and which chip is on the board.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "version/version.h"

namespace kernelfit {

// "# R36 (release), REVISION: 4.3, GCID: …" -> 36.4.3
std::optional<DottedVersion> parse_nv_tegra_release(std::string_view text);
// The version of the package nvidia-l4t-core: "36.4.3-20250107174145" -> 36.4.3
std::optional<DottedVersion> parse_l4t_package_version(std::string_view version);

// A JetPack belongs to one L4T release: a row of data/torch/jetpack.csv.
struct JetpackRelease {
  DottedVersion l4t;
  std::string jetpack;
};
// 36.4.3 -> "6.2"; empty where it is not known.
std::string jetpack_of_l4t(const DottedVersion& l4t, std::span<const JetpackRelease> releases);

// A row of data/gpus/tegra.csv.
struct TegraChip {
  std::string compatible;  // "nvidia,tegra234"
  std::string name;        // as the CUDA driver calls it: "Orin"
  ComputeCapability capability;
};
// /proc/device-tree/compatible: "nvidia,p3737-0000+p3701-0000\0nvidia,tegra234\0"
std::optional<TegraChip> parse_device_tree_compatible(std::string_view text,
                                                      std::span<const TegraChip> chips);

}  // namespace kernelfit
