// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "nvidia/smi.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)kernelfit::parse_smi_xml({reinterpret_cast<const char*>(data), size});
  return 0;
}
