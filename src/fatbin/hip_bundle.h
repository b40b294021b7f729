// SPDX-License-Identifier: Apache-2.0
// AMD's counterpart of a fat binary, recognised and named, not judged: the clang offload bundle of
// .hip_fatbin. clang documentation, "Clang Offload Bundler" (bundle layout; CCOB for compressed).
#pragma once
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

struct HipBundle {
  std::vector<std::string> targets;  // "gfx90a:sramecc+:xnack-", in order, without the host entry
  bool compressed = false;           // CCOB: targets are not known without inflating it
};

bool looks_like_hip_bundle(Bytes first_bytes);
// From the front of a bundle: 4 KB hold the table of every one seen.
Result<HipBundle> parse_hip_bundle(Bytes front);

}  // namespace kernelfit
