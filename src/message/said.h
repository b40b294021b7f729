// SPDX-License-Identifier: Apache-2.0
// A sentence before it has a language: a key of the message catalogue and what fills it. Judging,
// solving and planning speak in these; only report turns them into text.
#pragma once
#include <string>
#include <vector>

#include "base/text.h"

namespace kernelfit {

struct Said {
  std::string key;  // "plan.why.last-release-with-code"
  Fill values;      // {{"torch", "2.14.1"}, {"arch", "sm_60"}}
};

}  // namespace kernelfit
