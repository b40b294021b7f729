// SPDX-License-Identifier: Apache-2.0
// Whatever stands in the cache file: only what the program could have written comes out of it.
#include "probe/scan_cache.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& [key, images] : kernelfit::read_scan_table(text, "1:1")) {
    if (key.empty()) std::abort();
    for (const auto& group : images.groups) {
      if (group.archs.empty() || group.containers < 0 || group.code_bytes < 0) std::abort();
    }
  }
  return 0;
}
