// SPDX-License-Identifier: Apache-2.0
// The head of a PTX text: `.version`, `.target`, and its kernels (`.entry`). PTX ISA, "Directives".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct Ptx {
  DottedVersion isa;                 // ".version 8.5"
  GpuArch target;                    // ".target sm_90a" or "compute_90a"; kind ptx
  std::vector<std::string> kernels;  // mangled, sorted
};

constexpr std::size_t kPtxHead = 65536;  // a licence may stand before it
bool looks_like_ptx(Bytes first_bytes);  // blanks and comments, then ".version"
// A comment to the end of these bytes: more of them are needed to tell.
bool begins_with_comment(Bytes first_bytes);
// Errors name the line. Comments and strings are not mistaken for directives.
Result<Ptx> parse_ptx(std::string_view text);

}  // namespace kernelfit
