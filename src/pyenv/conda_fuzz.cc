// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "pyenv/conda.h"

namespace kernelfit {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parse_conda_record(text);
  (void)parse_conda_channel(text);
  (void)parse_conda_build(text);
  (void)parse_conda_file_name(text);
  (void)conda_channel_name(text);
  (void)parse_conda_environments(text);
  return 0;
}

}  // namespace kernelfit
