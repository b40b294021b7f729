// SPDX-License-Identifier: Apache-2.0
// `kernelfit scan`: what a ScanReport says in the formats of report.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/coverage.h"
#include "judge/scan_verdicts.h"
#include "report/report.h"
#include "scan/compare.h"
#include "scan/scan.h"
#include "scan/selection.h"

namespace kernelfit {

// Images of one architecture.
struct ImageCount {
  GpuArch arch;
  std::int64_t images = 0;
  std::optional<std::int64_t> kernels, empty;  // where every image of it was decoded
  std::string compression;                     // as in ScanCounts; empty outside containers
};

// What lies in one section of a file, or in all of them.
struct ScanCounts {
  std::vector<ImageCount> sass, ptx, lto;                     // sorted by architecture
  std::vector<ImageCount> relocatable_sass, relocatable_ptx;  // of __nv_relfatbin, linked files
  std::vector<ImageCount> bare;                               // cubins outside any container
  std::string compression;                                    // "lz4 zstd", "none", "" no image
  DottedVersion ptx_isa;                                      // highest
  std::int64_t containers = 0;
  void add(const FileScan& file, const Selection& selection = {});
  void add(const ScannedContainer& container, bool apart, const Selection& selection = {});
  std::int64_t images() const;
  bool empty() const { return images() == 0; }
};
// Input of a linked file's linker, counted apart: what its __nv_relfatbin holds.
bool is_apart(const FileScan& file, const ScannedContainer& container);
ScanCounts count_images(const FileScan& file, const Selection& selection = {});

struct SectionCounts {
  std::string section;  // "" for a bare .fatbin
  bool hidden =
      false;  // outside .nv_fatbin, .nv_fatb, __nv_relfatbin: other tools do not look there
  ScanCounts counts;
};
std::vector<SectionCounts> count_sections(const FileScan& file, const Selection& selection = {});

// A lone small image in its section beside others elsewhere: nvcc leaves such stubs without kernels
// in what it links. Told by its kernels where they were counted.
bool is_stub(const SectionCounts& section, const FileScan& file);

// What torch says of itself beside what its files hold.
struct TorchClaim {
  const FileScan* claims = nullptr;   // libtorch_python.so
  const FileScan* library = nullptr;  // libtorch_cuda.so beside it; null: not scanned
  std::vector<GpuArch> claimed, held;
  bool differs() const { return library != nullptr && claimed != held; }
};
std::vector<TorchClaim> torch_claims(const ScanReport& scan);

// What --extract did.
struct Extracted {
  std::string folder;
  std::vector<std::string> written, same;  // names of files; same: were there already
  std::vector<std::string> problems;       // "NAME: a file of this name is there already"
  std::int64_t failed = 0;                 // of which problems names the first
  std::int64_t bytes = 0;
  std::int64_t obfuscated = 0;  // images that were asked for and cannot be read
};

struct ScanAnswer {
  const ScanReport& scan;
  const Knowledge& knowledge;
  Selection selection;                // --sm, --kind, --member
  std::vector<std::string> gpus;      // --gpu, as typed
  std::vector<ScanVerdict> verdicts;  // of these
  DottedVersion driver;               // --driver
  bool kernels = false;               // --kernels
  bool demangle = false;              // --demangle
  bool archs_only = false;            // --archs
  std::optional<Extracted> extracted;
  std::vector<std::string> unmatched;  // of --member: what no file is called
  Remarks remarks;
};

// Where --sm and --kind leave nothing of what is there. A list without lines would look as if
// nothing were there.
std::optional<Said> nothing_selected(const FileScan& file, const Selection& selection);
std::optional<Said> nothing_selected(const ScanReport& scan, const Selection& selection);

// Why a file does not run, or what it needs, behind its verdict's words.
std::string run_reason(const ScanVerdict& verdict, const Knowledge& knowledge,
                       const Catalogue& say);

// docs/contract.md 2.
enum class ScanOutcome { fits, does_not_fit, no_answer, in_part };
// What the answer amounts to; writes down in its remarks what it leaves open.
ScanOutcome conclude(ScanAnswer& answer);
bool nothing_read(const ScanReport& scan);
// Nothing in it is unreadable, cut or left out.
bool read_whole(const ScanReport& scan);

std::string render_scan(const ScanAnswer& answer, const Style& style, const Catalogue& say);

// `scan --diff A B`.
struct ScanDiff {
  std::string a, b;  // as typed
  std::vector<FileChange> changes;
  std::vector<std::string> problems;
  const Knowledge& knowledge;
  bool kernels = false, demangle = false;
  Remarks remarks;
  bool differs() const;
  // Not only by files of one side: the other's may be what could not be read.
  bool surely_differs() const;
};
std::string render_scan_diff(const ScanDiff& diff, const Style& style, const Catalogue& say);

// "kernel<float>(int)" of "_Z6kernelIfEvi"; what is no such name stays as it is, and so does one
// that takes more than a second or stands for more than 64 kB.
std::vector<std::string> demangled(const std::vector<std::string>& names);

}  // namespace kernelfit
