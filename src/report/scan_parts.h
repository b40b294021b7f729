// SPDX-License-Identifier: Apache-2.0
// What the formats of a scan share. For this room only.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/layout.h"
#include "report/scan.h"

namespace kernelfit::report {

std::string scan_json(const ScanAnswer& answer, const Catalogue& say);
std::string scan_terminal(const ScanAnswer& answer, const Style& style, const Catalogue& say);
std::string scan_markdown(const ScanAnswer& answer, const Style& style, const Catalogue& say);
std::string scan_archs(const ScanAnswer& answer);

// Everything about one file but its name and size: counts, notes, problems, verdict last.
std::string scan_file_block(const FileScan& file, const ScanAnswer& answer, const Style& style,
                            const Catalogue& say);
// The lines on which its verdict stands: "runs on 7.5 8.0   not on 6.1".
std::string coverage_lines(const std::vector<Covered>& covered, const Style& style,
                           const Catalogue& say);

// What stands around the files and tells how they were come by: container images, servers.
struct SourceLine {
  int indent = 0;
  std::string text;
};
std::vector<SourceLine> source_lines(const ScanAnswer& answer, const Style& style,
                                     const Catalogue& say);

std::string size_text(std::uint64_t bytes);  // "520 MB"
// "libtorch_cuda.so" with what a name may not do to a terminal taken out.
std::string file_name(const FileScan& file, const Style& style);
// "CUDA 13.2"; empty: not known.
std::string cuda_text(const FileScan& file);
std::string compression_text(const ScanCounts& counts);  // empty where nothing is compressed

// The capabilities that people have most; the others are shown with --verbose.
// Of a file that could not be read whole: only what it is known to run on.
std::vector<Covered> read_coverage(const FileScan& file, const Knowledge& knowledge);
// The capabilities that people ask about; with --verbose all.
std::vector<Covered> common_coverage(const FileScan& file, const Knowledge& knowledge,
                                     const Style& style);
// The same, and of a file that runs on none of them those on which it does.
std::vector<Covered> shown_coverage(const FileScan& file, const Knowledge& knowledge,
                                    const Style& style);
struct CoverageLists {
  std::vector<std::string> native, jit, partial, none;
};
CoverageLists coverage_lists(const std::vector<Covered>& covered);

// A label and what stands beside it, in as many columns as fit: labels and cells are aligned over
// all rows.
struct GridRow {
  std::string label;
  std::vector<std::string> cells;
};
std::string grid(const std::vector<GridRow>& rows, int indent, const Style& style);
std::vector<GridRow> count_rows(const ScanCounts& counts, const std::string& section,
                                const Catalogue& say);
// The same as a table with kernels: one line per architecture.
std::string kernel_table(const std::vector<std::pair<std::string, const ScanCounts*>>& sections,
                         const Style& style, const Catalogue& say);

// What files are called where all of them are named: by their last part, by more where that is not
// one file alone.
class ShortNames {
 public:
  ShortNames(const std::vector<const FileScan*>& files, const Style& style);
  std::string name(const FileScan& file) const;

 private:
  const Style& style_;
  std::map<std::string, int> bases_, names_;
};

// An object's machine code that was compiled with -rdc=true, or such a cubin.
bool is_for_a_linker(const FileScan& file);

// "no GPU code", or none in what could be read.
const char* no_code_key(const FileScan& file);

std::string note_line(std::string_view text, const Style& style);  // indented by 2, wrapped
// "NAME: offset 16: …"; a problem that names the path itself is not told it twice.
std::string problem_text(const FileScan& file, const std::string& problem, const Style& style);

// Mangled or not, as the answer wants it.
std::vector<std::string> shown_names(const std::vector<std::string>& names, bool demangle);

}  // namespace kernelfit::report
