// SPDX-License-Identifier: Apache-2.0
#include "fatbin/hip_bundle.h"
#include "fatbin/ptx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span<const std::uint8_t>(data, size));
  (void)kernelfit::parse_ptx(kernelfit::as_text(bytes));
  (void)kernelfit::looks_like_ptx(bytes);
  (void)kernelfit::parse_hip_bundle(bytes);
  return 0;
}
