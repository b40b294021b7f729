// SPDX-License-Identifier: Apache-2.0
// "specifier\nversion": whatever they are, the order of versions is one, and no text hurts.
#include "version/version.h"

#include <cstdint>

#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto parts = split(text, '\n');
  auto last = PackageVersion::parse(parts.back());
  for (auto part : parts) {
    auto version = PackageVersion::parse(part);
    if (version && last && (*version < *last) != (*last > *version)) __builtin_trap();
    if (version && !(*version == *version)) __builtin_trap();
    auto set = VersionSpecifier::parse(part);
    if (set && last) set->contains(*last, false);
    if (auto number = DottedVersion::parse(part); number && number->first(6) != *number)
      __builtin_trap();
    if (auto arch = GpuArch::parse(part); arch && GpuArch::parse(arch->text()) != arch)
      __builtin_trap();
    ComputeCapability::parse(part);
  }
  return 0;
}
