// SPDX-License-Identifier: Apache-2.0
// The files of data/, as they were when the program was built.
#pragma once
#include <span>
#include <string_view>

namespace kernelfit {

struct EmbeddedFile {
  std::string_view path;  // relative to data/, with forward slashes: "cuda/driver_min.csv"
  std::string_view text;
};

// Sorted by path. Defined in the generated embedded_data.cc (cmake/embed.cmake).
std::span<const EmbeddedFile> embedded_files();

}  // namespace kernelfit
