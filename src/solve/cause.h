// SPDX-License-Identifier: Apache-2.0
// Why nothing can be installed, in one sentence: the card is only one of the reasons.
#pragma once
#include "solve/solve.h"

namespace kernelfit::solving {

// solve.cause.KIND: `card`, `together` (no build serves all cards), `host` (no driver does),
// `wsl`, `glibc`, `musl`, `os`, `python`, `driver`, `several`.
Said cause_of(const std::optional<Conflict>& conflict, const Request& request,
              const Knowledge& knowledge);

}  // namespace kernelfit::solving
