// SPDX-License-Identifier: Apache-2.0
// torch/version.py and its like (torchvision, torchaudio, xformers): assignments of constants that
// the build wrote. Read as text; Python is never started.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct VersionPy {
  std::string version;                // "2.13.0+cu126"
  bool has_cuda = false;              // there is a line `cuda = …` with a constant
  std::optional<DottedVersion> cuda;  // "12.6"; none with has_cuda: built without CUDA
  std::string hip;                    // "6.2.41133-dd7f95766"; empty: None or no such line
  std::string git_version;
};

// An error where no `__version__` is assigned a text.
Result<VersionPy> parse_version_py(std::string_view text);

// What the local version says about the build: "cu126", "cpu", "rocm6.2"; empty where it says
// something else: "gite67e3d9", "1a92802", "nv24.08", "cu126.post1" is "cu126".
std::string build_of_local_version(std::string_view local);
// "cu126" for 12.6, "cu90" for 9.0.176, as pip builds are called.
std::string pip_build_of_cuda(const DottedVersion& cuda);
// "cuda12.9", as the conda channels' builds are called.
std::string conda_build_of_cuda(const DottedVersion& cuda);

// 12.6 of "cu126" and of "cuda12.6"; nothing for "cpu", "rocm6.2" and other words.
std::optional<DottedVersion> cuda_of_build(std::string_view build);

}  // namespace kernelfit
