// SPDX-License-Identifier: Apache-2.0
// The inner loop of the whole-file scan, for this room only.
#pragma once
#include <cstddef>

#include "base/bytes.h"

namespace kernelfit {

// The first multiple of 4 at or behind `from` (a multiple of 4 itself) where a container, an ELF
// file or an AMD bundle may begin; bytes.size() rounded down to 4 where there is none.
std::size_t find_magic(Bytes bytes, std::size_t from);

}  // namespace kernelfit
