// SPDX-License-Identifier: Apache-2.0
// The first CUDA whose libraries (cuBLAS, cuDNN) know a card: cuda/card_floor.csv.
#pragma once
#include "knowledge/knowledge.h"

namespace kernelfit {

// Empty where every CUDA of the tables does.
DottedVersion cuda_floor(ComputeCapability capability, const Knowledge& knowledge);

}  // namespace kernelfit
