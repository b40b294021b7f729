// SPDX-License-Identifier: Apache-2.0
#include "host/parts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto file = kernelfit::parse_parts(text);
  if (!file) return 0;
  std::byte into[64];
  for (std::uint64_t offset : {std::uint64_t{0}, file->size_bytes / 2, file->size_bytes}) {
    auto status = file->read(offset, into);
    (void)status;
  }
  // What is read is what was written. (Parts that touch are merged by add, not by the parser.)
  if (kernelfit::render_parts(*file) != text.substr(0, kernelfit::render_parts(*file).size())) {
    __builtin_trap();
  }
  return 0;
}
