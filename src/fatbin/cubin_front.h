// SPDX-License-Identifier: Apache-2.0
// The kernels of a cubin from its first bytes alone, without its section and symbol tables, which
// stand at its end: the names of its sections stand at its front, and every kernel has both a
// `.text.<kernel>` and a `.nv.constant0.<kernel>`. Says so where that cannot be told for certain.
#pragma once
#include <string>
#include <vector>

#include "base/bytes.h"

namespace kernelfit {

enum class FrontAnswer {
  kernels,     // all of them, in no order
  needs_more,  // the names go on behind these bytes
  not_told,    // only the symbol table knows (device functions of their own, another layout)
};

FrontAnswer kernels_from_front(Bytes front, std::vector<std::string>& kernels);

}  // namespace kernelfit
