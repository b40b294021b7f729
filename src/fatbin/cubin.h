// SPDX-License-Identifier: Apache-2.0
// A cubin: an ELF file with machine code for one GPU architecture. docs/fatbin.md 1.5 says how the
// fields were learned. Kernels are the FUNC symbols with STO_CUDA_ENTRY (0x10) in st_other; binding
// does not tell (kernels in unnamed namespaces are local).
#pragma once
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct Cubin {
  GpuArch arch;              // kind sass; suffix from e_flags (ABI 7, sm_90 on) or .note.nv.tkinfo
  int abi = 0;               // 7 or 8
  bool relocatable = false;  // ET_REL
  bool debug = false;
  DottedVersion toolkit;  // "11.8", "13.0": e_version (ABI 7) or .note.nv.cuinfo; may be empty
  std::vector<std::string> kernels;  // mangled, sorted; only with CubinDetail::kernels
};

enum class CubinDetail { header, kernels };

bool looks_like_cubin(Bytes first_bytes);  // ELF64, little-endian, e_machine 190: needs 20 bytes

// `cubin` may be only the front of one (most hold their names there): an error of kind `truncated`
// then says that more is needed; it is never answered from half of the symbols.
Result<Cubin> parse_cubin(Bytes cubin, CubinDetail detail);

// The size of a whole cubin, from its first 64 bytes: the end of its header tables, which stand
// last.
Result<std::uint64_t> cubin_size(Bytes front);

}  // namespace kernelfit
