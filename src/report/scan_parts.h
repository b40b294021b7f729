// SPDX-License-Identifier: Apache-2.0
// What the formats of a scan share. For this room only.
#pragma once
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

std::string note_line(std::string_view text, const Style& style);  // indented by 2, wrapped
// "NAME: offset 16: …"; a problem that names the path itself is not told it twice.
std::string problem_text(const FileScan& file, const std::string& problem, const Style& style);

// Mangled or not, as the answer wants it.
std::vector<std::string> shown_names(const std::vector<std::string>& names, bool demangle);

}  // namespace kernelfit::report
