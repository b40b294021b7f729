// SPDX-License-Identifier: Apache-2.0
// The contract's words for how a library and a GPU stand to each other (docs/contract.md 3).
#pragma once
#include <string_view>

namespace kernelfit {

enum class Verdict {
  native,                  // SASS for the card
  ptx_jit,                 // no SASS, but PTX that the driver can compile: slow first call
  partial,                 // some kernels only
  no_code,                 // neither
  driver_too_old,          // the driver cannot run this CUDA
  driver_too_new_for_gpu,  // the driver's branch no longer serves the card
  library_too_new,         // the library dropped the card (cuDNN, cuBLAS, Triton floors)
  cpu_only,                // a build without CUDA
  no_driver,               // no driver is loaded
  no_gpu,                  // no NVIDIA GPU
  broken,                  // cannot be read or imported
  unknown,
};
std::string_view text_of(Verdict verdict);  // "ptx-jit", "driver-too-new-for-gpu"
bool runs(Verdict verdict);                 // native, ptx_jit, partial

}  // namespace kernelfit
