// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "pyenv/names.h"
#include "pyenv/version_py.h"

namespace kernelfit {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parse_version_py(text);
  (void)build_of_local_version(text);
  (void)cuda_of_build(text);
  (void)parse_lib_folder(text);
  (void)parse_install_folder(text);
  (void)parse_conda_python(text);
  (void)normalized_name(text);
  return 0;
}

}  // namespace kernelfit
