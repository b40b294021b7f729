// SPDX-License-Identifier: Apache-2.0
// Which files of a package hold its GPU code.
#pragma once
#include <string>
#include <string_view>

#include "probe/environments.h"

namespace kernelfit {

// A package whose extension modules are read: patterns relative to site-packages, `*` once in the
// last part. Null for torch, which has its own way, and for what is not read.
struct LibraryFiles {
  std::string_view package;   // normalised name
  std::string_view folder;    // its module
  std::string_view patterns;  // "torchvision/_C*.so torchvision/image*.so"
};
const LibraryFiles* files_of_library(std::string_view package);

// The module's folder in site-packages: "flash_attn" of flash-attn.
std::string folder_of_library(std::string_view package);

// Reads the files of `library` into its binaries; what cannot be read is a line in its problems.
void read_library_files(const Host& host, const Site& site, const Environment& environment,
                        Library& library);

// Of libbitsandbytes_cuda118.so, …121.so the one that loads beside a torch for `cuda` (empty: the
// newest). BNB_CUDA_VERSION overrides it. Empty where none fits.
std::string choose_bitsandbytes(const std::vector<std::string>& names, const DottedVersion& cuda,
                                std::string_view override_number);

}  // namespace kernelfit
