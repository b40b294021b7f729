// SPDX-License-Identifier: Apache-2.0
// Why a pasted "CUDA out of memory" ran out: the numbers in it say which of four causes it is.
#pragma once
#include "diagnose/facts.h"

namespace kernelfit {

// "memory.cause": "true" (does not fit), "fragmentation" (more is reserved and unused than was
// asked for), "other-process", "inconsistent" (more is free than was asked for); unknown without
// numbers.
void set_memory(Facts& facts, const Situation& situation);

}  // namespace kernelfit
