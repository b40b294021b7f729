// SPDX-License-Identifier: Apache-2.0
#include "fatbin/fatbin.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span<const std::uint8_t>(data, size));
  const kernelfit::BufferAccess file(bytes);
  const auto listing = kernelfit::list_containers(file, 0, size, ".nv_fatbin");
  for (const auto& container : listing.containers) {
    for (const auto& entry : container.entries) {
      if (entry.offset + 64 > size || entry.arch.number <= 0) std::abort();
    }
  }
  return 0;
}
