// SPDX-License-Identifier: Apache-2.0
#include "fatbin/cubin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span<const std::uint8_t>(data, size));
  (void)kernelfit::parse_cubin(bytes, kernelfit::CubinDetail::kernels);
  (void)kernelfit::cubin_size(bytes);
  return 0;
}
