// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "pe/pe_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  const BufferAccess file(std::as_bytes(std::span(data, size)));
  for (const auto& pe : {parse_pe(file), parse_coff_object(file)}) {
    if (!pe) continue;
    for (const auto& section : pe->sections) {
      const bool inside = section.offset <= size && section.size_bytes <= size - section.offset;
      if (section.size_bytes > 0 && !inside) std::abort();
    }
  }
  return 0;
}
