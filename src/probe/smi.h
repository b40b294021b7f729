// SPDX-License-Identifier: Apache-2.0
// nvidia-smi, where NVML could not be asked directly.
#pragma once
#include <string>

#include "host/host.h"
#include "nvidia/smi.h"

namespace kernelfit {

struct SmiRun {
  std::string state;    // one of Driver::nvml's words; empty: it said something else
  std::string said;     // its first line, where it is no answer
  std::string problem;  // "nvidia-smi did not answer in 5 s"
  SmiAnswer answer;
};
SmiRun read_smi(const Host& host);

}  // namespace kernelfit
