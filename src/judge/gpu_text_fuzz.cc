// SPDX-License-Identifier: Apache-2.0
// `--gpu` takes any text, and drivers report any name.
#include <cstdint>
#include <string_view>

#include "judge/card.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  static const Knowledge kKnown = Knowledge::embedded();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto gpu = gpu_from_text(text, kKnown)) (void)identify(*gpu, kKnown);
  Gpu found;
  found.name = Fact<std::string>::known(std::string(text), "driver");
  (void)identify(found, kKnown);
  return 0;
}
