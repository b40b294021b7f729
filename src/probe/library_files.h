// SPDX-License-Identifier: Apache-2.0
// Which files of a package hold its GPU code.
#pragma once
#include <string>
#include <string_view>

#include "probe/environments.h"

namespace kernelfit {

// Reads the files of `library` that its row names into its binaries; what cannot be read is a line
// in its problems. `row` may be null.
void read_library_files(const Host& host, const Site& site, const Environment& environment,
                        const GpuPackage* row, Library& library);

// Of libbitsandbytes_cuda118.so, …121.so the one that loads beside a torch for `cuda` (empty: the
// newest). BNB_CUDA_VERSION overrides it. Empty where none fits.
std::string choose_bitsandbytes(const std::vector<std::string>& names, const DottedVersion& cuda,
                                std::string_view override_number);

}  // namespace kernelfit
