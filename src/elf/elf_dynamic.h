// SPDX-License-Identifier: Apache-2.0
// What the loader of a Linux library asks for: sonames and symbol versions. Read from the dynamic
// section, so a stripped section table does not matter. ELF-64 Object File Format 1.5, "Dynamic
// Linking"; Linux Standard Base, "Symbol Versioning" (.gnu.version_r).
#pragma once
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

struct ElfNeeds {
  std::string soname;
  std::vector<std::string> needed;      // DT_NEEDED in order: "libcudart.so.12"
  std::vector<std::string> run_paths;   // DT_RUNPATH, else DT_RPATH: "$ORIGIN/../../nvidia/cublas/lib"
  DottedVersion glibc;                  // highest GLIBC_x.y that must be there; empty: none
  DottedVersion glibcxx, cxxabi;        // GLIBCXX_3.4.x, CXXABI_1.3.x
  std::vector<std::string> versions;    // every "file version" asked for: "libcudart.so.12 libcudart.so.12"
  std::vector<std::string> problems;    // names and versions that could not be read; the rest stands
};

// ErrorKind::not_found where there is no dynamic section (a static program, an object). Versions
// that are asked for weakly do not raise the floors. GLIBC_ABI_DT_RELR asks for glibc 2.36.
Result<ElfNeeds> parse_elf_needs(const RandomAccess& file);

}  // namespace kernelfit
