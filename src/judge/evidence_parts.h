// SPDX-License-Identifier: Apache-2.0
// What torch, NVIDIA's parts and every other library have in common when their evidence is
// gathered. Inside this room only; evidence.h is what others read.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/evidence.h"
#include "knowledge/probe_rows.h"

namespace kernelfit::judging {

std::string_view file_name(std::string_view path);
bool has_code(const std::vector<BinaryImages>& binaries);

// "rocm6.2", "xpu"
bool is_other_backend(std::string_view build);
// "cu126", "cuda12.9", "cpu": as read, else of the local version.
std::string build_tag(const Library& library);

// What its name, version and build say, before a file or a table is asked.
LibrarySubject subject_of(const Library& library);
void set_files(LibrarySubject& subject, std::vector<BinaryImages> binaries);
void set_table(LibrarySubject& subject, std::vector<GpuArch> archs, const Basis& basis);
// A problem begins with its file: "/env/torch/lib/libtorch_cuda.so: offset 64: …". Empty: none.
void set_problem(LibrarySubject& subject, std::string problem);

// By its own floor and ceiling alone, for the CUDA of `beside`.
std::optional<LibrarySubject> ranged(std::string_view library, std::string_view version,
                                     const LibrarySubject& beside, const Knowledge& knowledge);

// torch itself. `build`: its row of torch/builds.csv, null where there is none.
struct TorchEvidence {
  LibrarySubject subject;
  const TorchBuild* build = nullptr;
};
TorchEvidence torch_evidence(const Library& torch, const Environment& environment,
                             Platform platform, std::string_view l4t, const Knowledge& knowledge);
// libtorch_cuda_linalg.so is judged on its own: it can lack what torch itself has
// (docs/knowledge.md).
std::optional<LibrarySubject> linalg_evidence(const Library& torch, const LibrarySubject& base,
                                              Platform platform, const Knowledge& knowledge);

// cuDNN, cuBLAS, the other libraries of NVIDIA's that torch calls, and Triton.
void add_parts_of_torch(std::vector<LibrarySubject>& subjects, const Environment& environment,
                        const TorchEvidence& torch, const Knowledge& knowledge);
// "nvidia-cudnn-cu12", conda's "cudnn": judged with the torch that takes them.
bool is_nvidia_part(std::string_view name);

// The packages that run on the GPU by code of their own: "yes" in libraries/packages.csv. Where
// nothing is known of such a one, that is said.
class CodePackages {
 public:
  explicit CodePackages(const Knowledge& knowledge);
  bool has(std::string_view package) const;  // its name as pip normalises it

 private:
  std::vector<PackageRow> rows_;
};

// Every other library: torchvision, bitsandbytes, flash-attn, …
std::optional<LibrarySubject> library_evidence(const Library& library, const LibrarySubject& torch,
                                               Platform platform, const Knowledge& knowledge);
// What the tables say of it, whatever its files are. Nothing where they say nothing.
std::optional<LibrarySubject> table_evidence(LibrarySubject subject, Platform platform,
                                             const Knowledge& knowledge);

}  // namespace kernelfit::judging
