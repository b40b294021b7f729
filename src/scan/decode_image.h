// SPDX-License-Identifier: Apache-2.0
// One image out of a container: decompressed, and its kernels. For this room only.
#pragma once
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "fatbin/fatbin.h"

namespace kernelfit {

// What the payload holds once decompressed. Errors name the offset of the entry.
Result<std::vector<std::byte>> decode_image(const FatbinEntry& entry, Bytes stored);

// Mangled names, sorted. LTO-IR is ErrorKind::unsupported: its kernels are not known.
Result<std::vector<std::string>> kernels_in(const GpuArch& arch, Bytes image);

}  // namespace kernelfit
