// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_dynamic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)kernelfit::parse_elf_needs(
      kernelfit::BufferAccess(std::as_bytes(std::span<const std::uint8_t>(data, size))));
  return 0;
}
