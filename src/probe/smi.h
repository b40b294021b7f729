// SPDX-License-Identifier: Apache-2.0
// nvidia-smi, where NVML could not be asked directly.
#pragma once
#include <string>

#include "host/host.h"
#include "nvidia/smi.h"

namespace kernelfit {

struct SmiRun {
  std::string state;  // one of Driver::nvml's words; empty: it said something else
  std::string said;   // its first line, where it is no answer
  // "nvidia-smi failed (exit status 255): …"; that it hung is for HelperLimit to say.
  std::string problem;
  SmiAnswer answer;
};
SmiRun read_smi(const Host& host);

}  // namespace kernelfit
