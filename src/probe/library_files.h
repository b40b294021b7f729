// SPDX-License-Identifier: Apache-2.0
// Which files of a package hold its GPU code.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "probe/environments.h"

namespace kernelfit {

// The files of `library` that hold its GPU code, as its row names them (null: none). What is found
// out on the way (which file of bitsandbytes loads, that there is none) is written into `library`.
std::vector<std::string> library_file_paths(const Host& host, const Site& site,
                                            const Environment& environment, const GpuPackage* row,
                                            Library& library);

// Of a torch for CUDA whose files were read without finding code: the file that should hold it and
// is missing, or is not torch's. Nothing where all is well.
std::string torch_code_problem(const Host& host, const Library& torch);

// Of libbitsandbytes_cuda118.so, …121.so the one that loads beside a torch for `cuda` (empty: the
// newest). BNB_CUDA_VERSION overrides it. Empty where none fits.
std::string choose_bitsandbytes(const std::vector<std::string>& names, const DottedVersion& cuda,
                                std::string_view override_number);

}  // namespace kernelfit
