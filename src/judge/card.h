// SPDX-License-Identifier: Apache-2.0
// Which card is it? Probes record a PCI id and a name; here they become a product with a compute
// capability and the driver branches that serve it. A name alone never settles an ambiguous product
// (GT 730: 2.1, 3.0 or 3.5): then `variants` holds one card per capability (docs/compatibility.md
// 5).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"
#include "machine/machine.h"

namespace kernelfit {

struct Card {
  std::string label;  // for people: "GeForce GTX 1080 Ti", "compute capability 8.6"
  std::string chip;   // "GP102", may be empty
  std::string architecture;
  // In this order of trust: given on the command line, the driver's answer, the PCI id, an
  // unambiguous name. The source says which: "driver (NVML)", "table: PCI id 10de:1b06".
  Fact<ComputeCapability> capability;
  bool tegra = false;    // Jetson and its like: code must match exactly (docs/compatibility.md 1)
  int first_branch = 0;  // first driver branch that knows the card; 0: not known
  int last_branch = 0;   // last one; 0: still served by current branches
  int last_branch_windows = 0;        // where Windows ends earlier: Kepler GeForce notebooks, 418,
  DottedVersion last_driver_windows;  // and within the branch: 425.31 (cuda/driver_last.csv)
  std::string form;                   // "geforce-desktop", "datacenter", "tegra"; may be empty
  bool branch_known = false;          // false: nothing is known of its branches
  std::vector<std::string> pci_ids;   // "10de:1287": of this variant
  std::vector<Card> variants;         // two or more, of different capability; else empty
  bool sbsa_tegra_rule = false;       // CUDA >= 13.2 code for 7.0/8.0/8.6 counts (JetPack 7 driver)
};

Card identify(const Gpu& gpu, const Knowledge& knowledge);

// `--gpu X`: a product name, "8.6", "sm_86" or "10de:2206" (with ":subsystem" allowed). An unknown
// name is ErrorKind::usage and suggests the nearest ones.
Result<Gpu> gpu_from_text(std::string_view text, const Knowledge& knowledge);

// A capability of the embedded gpus/tegra.csv: 8.7, 11.0 and their like, whose code runs on the
// very same capability only (docs/compatibility.md 1).
bool is_tegra(ComputeCapability capability);

}  // namespace kernelfit
