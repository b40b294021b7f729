// SPDX-License-Identifier: Apache-2.0
// Whether torchvision and torchaudio put up with the CUDA of the torch beside them.
#pragma once
#include <string_view>

#include "knowledge/knowledge.h"
#include "version/version.h"

namespace kernelfit {

// Built for CUDA `own`, beside a torch of CUDA `torch`. False where its own check at import
// refuses, or where the two load different libcudart: libraries/cuda_checks.csv.
bool accepts_cuda(std::string_view package, const PackageVersion& version, const DottedVersion& own,
                  const DottedVersion& torch, const Knowledge& knowledge);

}  // namespace kernelfit
