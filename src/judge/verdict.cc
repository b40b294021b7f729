// SPDX-License-Identifier: Apache-2.0
#include "judge/verdict.h"

namespace kernelfit {

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::native: return "native";
    case Verdict::ptx_jit: return "ptx-jit";
    case Verdict::partial: return "partial";
    case Verdict::no_code: return "no-code";
    case Verdict::driver_too_old: return "driver-too-old";
    case Verdict::driver_too_new_for_gpu: return "driver-too-new-for-gpu";
    case Verdict::library_too_new: return "library-too-new";
    case Verdict::cpu_only: return "cpu-only";
    case Verdict::no_driver: return "no-driver";
    case Verdict::no_gpu: return "no-gpu";
    case Verdict::broken: return "broken";
    case Verdict::unknown: return "unknown";
  }
  return "unknown";
}

bool runs(Verdict verdict) {
  return verdict == Verdict::native || verdict == Verdict::ptx_jit || verdict == Verdict::partial;
}

}  // namespace kernelfit
