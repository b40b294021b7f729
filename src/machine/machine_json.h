// SPDX-License-Identifier: Apache-2.0
// The Machine as `kernelfit doctor --json` prints it (docs/contract.md 3): every fact with value,
// state, source and reason.
#pragma once
#include "base/json.h"
#include "machine/machine.h"

namespace kernelfit {

Json to_json(const Machine& machine);
Json to_json(const Gpu& gpu);
Json to_json(const Environment& environment);
Json to_json(const BinaryImages& images);

}  // namespace kernelfit
