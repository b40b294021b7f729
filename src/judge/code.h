// SPDX-License-Identifier: Apache-2.0
// Does this GPU code run on this card? Pure rules of docs/compatibility.md 1, 2.
#pragma once
#include <optional>
#include <vector>

#include "judge/card.h"
#include "judge/verdict.h"
#include "machine/images.h"

namespace kernelfit {

struct CodeRule {
  ComputeCapability capability;
  bool tegra = false;
  bool sbsa_tegra_rule = false;  // see Card
  DottedVersion built_with;      // CUDA of the build; empty: not known (the SBSA rule is then off)
};
CodeRule code_rule(const Card& card, const DottedVersion& built_with);

// One image: SASS same major and minor <= the card's, Tegra exact, 'a' exact, 'f' family;
// PTX any card at or above (suffix rules alike). LTO-IR never runs by itself.
bool serves(const GpuArch& arch, const CodeRule& rule);

struct CodeVerdict {
  Verdict verdict = Verdict::unknown;  // native, ptx_jit, partial, no_code, unknown
  std::optional<GpuArch> used;         // the image that would run: the nearest SASS, else the PTX
  bool needs_ptx = false;              // the driver's PTX ISA decides (judge/driver.h)
  std::vector<GpuArch> archs;          // the library's set, for reports
  std::vector<ComputeCapability> missing;  // partial: capabilities whose neighbours have code
};

// A list from a table or from `torch.cuda.get_arch_list()`. An empty list is `unknown`.
CodeVerdict code_for(const std::vector<GpuArch>& archs, const CodeRule& rule);

// A binary as read. `dispatches`: the library keeps one architecture per container and chooses at
// run time (cuBLASLt, cuDNN engines, cuFFT, NCCL): then the union counts. Else the commonest set
// of the containers with code is the library's (docs/fatbin.md); a lone small container is
// `unknown`.
CodeVerdict code_for(const std::vector<BinaryImages>& binaries, const CodeRule& rule,
                     bool dispatches = false);

}  // namespace kernelfit
