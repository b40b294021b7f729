// SPDX-License-Identifier: Apache-2.0
// What is known of the GPU code of an installed library: from its own files where they were read,
// else from the tables.
#pragma once
#include <string>
#include <vector>

#include "judge/judge.h"

namespace kernelfit {

// One library that can be judged, before a card is looked at.
struct LibrarySubject {
  std::string library, version;  // "torch.linalg", "2.13.0+cu126"
  DottedVersion cuda;            // what it was built with; empty: not known
  std::string cuda_full;         // "12.6.3", may be empty
  bool cpu_only = false;
  std::string other_backend;           // "rocm6.2", "xpu"
  std::string problem;                 // why it cannot be read: "libtorch_cuda.so: offset 64: …"
  std::string missing_file;            // bitsandbytes without a file for this CUDA
  bool dispatches = false;             // one architecture per container
  bool each_file = false;              // all of its files are needed, each judged by itself
  std::vector<BinaryImages> binaries;  // its own files that were read
  std::vector<GpuArch> table_archs;    // else by table
  std::vector<GpuArch> twin_archs;     // a third party's build of the very same version
  std::string twin;                    // who makes it: "nelsonliu"
  std::optional<LibraryRange> range;   // else by the library's own floor and ceiling
  // Its CUDA is not known, and the tables have more than one build: itself, once for each.
  std::vector<LibrarySubject> for_cuda;
  std::string cuda_text;        // of such a one: "11.8-12.6", or its build: "cu126"
  bool one_of_several = false;  // they are builds of one version that none of them names
  bool unlisted = false;  // holds GPU code, and neither a file was read nor does a table say which
  std::string made_for;   // of such a one: the platforms of its rows, "linux"
  std::string location;   // its folder; empty: it was given
  bool by_toolkit = false;    // nothing but its CUDA is known: that rules cards out, never in
  bool may_hold_ptx = true;   // false: a torch wheel from 1.6 on (docs/knowledge.md)
  std::string basis, detail;  // LibraryVerdict's
  Confidence confidence = Confidence::low;
};

// Torch first, then what came with it, then the rest, in the order of the environment.
// `l4t`: of a Jetson, else empty.
std::vector<LibrarySubject> subjects_of(const Environment& environment, Platform platform,
                                        std::string_view l4t, const Knowledge& knowledge);

// Its code for one card, whatever the driver.
CodeVerdict code_of(const LibrarySubject& subject, const Card& card);

}  // namespace kernelfit
