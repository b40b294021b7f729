// SPDX-License-Identifier: Apache-2.0
// The judgement over a machine: one verdict per GPU x environment x library, in the contract's
// words.
#pragma once
#include <string>
#include <vector>

#include "judge/card.h"
#include "judge/code.h"
#include "judge/driver.h"
#include "judge/verdict.h"
#include "message/said.h"

namespace kernelfit {

struct LibraryVerdict {
  int gpu = -1;          // index into Machine::gpus, -1: there is none
  int environment = -1;  // index into Machine::environments
  std::string library;   // "torch", "cudnn", "cublas", "triton", "bitsandbytes", …
  std::string version;   // "2.13.0+cu126"
  Verdict verdict = Verdict::unknown;
  Said reason;                 // "reason.native" {"arch": "sm_86", "capability": "8.9"}
  std::vector<GpuArch> archs;  // what the judgement rests on
  std::string basis;           // "file" (read), "table" (with confidence), "none"
  std::string basis_detail;    // the file's path, or the table's source ids
  Confidence confidence = Confidence::low;
  CodeVerdict code;   // before the driver was asked
  DriverNeed driver;  // for this library on this GPU
};

struct Judgement {
  std::vector<Card> cards;               // one per Machine::gpus, same order
  std::vector<LibraryVerdict> verdicts;  // by environment, library, GPU
};

// "cudnn", "triton", "torch.linalg": of torch, not a library beside it.
bool is_part_of_torch(std::string_view library);

Judgement judge(const Machine& machine, const Knowledge& knowledge);

Platform platform_of(const Machine& machine);
DriverOs driver_os_of(const Machine& machine);

// cuDNN, cuBLAS, Triton: the library's own floor and ceiling by table (libraries/arch.csv).
// `version` empty: the newest. Nothing where the table does not say.
struct LibraryRange {
  ComputeCapability minimum, maximum;
  Basis basis;
  bool listed_only = false;  // the maximum is the newest that the source names: above, not known
  // The library's own source has nothing below the minimum (and, `ends`, above the maximum), so
  // neither another release of today nor a build of one's own has.
  bool is_of_source = false, ends = false;
};
std::optional<LibraryRange> library_range(std::string_view library, std::string_view version,
                                          const DottedVersion& cuda, const Knowledge& knowledge);
LibraryRange range_of(const LibraryArch& row);

// Below the minimum the library has dropped the card, or never had code for it (no_code); a whole
// generation above the maximum it does not know it yet (no_code), or nobody says. Within a
// generation older code runs on the newer card.
Verdict range_verdict(const LibraryRange& range, ComputeCapability capability);

// The row of libraries/arch.csv, with its `sass` list where it has one. Null where no row fits.
// `platform` as in Platform's text; empty: of any. A row of "linux" is of each CPU.
const LibraryArch* library_row(std::string_view library, std::string_view version,
                               const DottedVersion& cuda, const Knowledge& knowledge,
                               std::string_view platform = {});

// The same where the CUDA is not known: a row for each range of CUDA that this version is built
// for. More than one: what it holds depends on the CUDA.
std::vector<const LibraryArch*> library_rows(std::string_view library, std::string_view version,
                                             std::string_view platform, const Knowledge& knowledge);
// The platforms of its rows where none is for this one: "linux". Empty: one is, or none is known.
std::string other_platforms(std::string_view library, std::string_view version,
                            std::string_view platform, const Knowledge& knowledge);
// "11.8-12.6", "12.x 13.x", "": is the row for this CUDA?
bool row_is_for_cuda(const LibraryArch& row, const DottedVersion& cuda);

// The row of torch/builds.csv that this installed torch is. Null for local builds and releases that
// the table does not hold.
const TorchBuild* build_of(const Library& torch, const Environment& environment, Platform platform,
                           const Knowledge& knowledge);

// The CUDA that a Jetson's L4T serves: 32.7 -> 10.2, 36.4 -> 12.6. Empty where it is not known.
DottedVersion jetson_cuda(std::string_view l4t, const Knowledge& knowledge);

}  // namespace kernelfit
