// SPDX-License-Identifier: Apache-2.0
// `scan` for a forum: one table of files, one of verdicts.
#include <algorithm>

#include "base/text.h"
#include "base/visible.h"
#include "report/markdown.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

std::string images_cell(const FileScan& file, const ScanAnswer& answer, const Catalogue& say) {
  std::vector<std::string> parts;
  for (const auto& row : count_rows(count_images(file, answer.selection), "", say)) {
    parts.push_back((row.label == "SASS" ? "" : row.label + ": ") + join(row.cells, ", "));
  }
  return join(parts, "; ");
}

std::string runs_cell(const FileScan& file, const ScanAnswer& answer, const Style& style,
                      const Catalogue& say) {
  if (file.unreadable) return say("report.scan.unreadable");
  Style wide = style;
  wide.columns = 1'000;
  const std::string lines =
      coverage_lines(shown_coverage(file, answer.knowledge, style), wide, say);
  return replace_all(std::string(trim(lines)), "   ", "; ");
}

std::string files_table(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& file : answer.scan.files) {
    rows.push_back({md_code(file_name(file, style)), size_text(file.size_bytes), cuda_text(file),
                    images_cell(file, answer, say), runs_cell(file, answer, style, say)});
  }
  return md_table({say("report.scan.column.file"), say("report.scan.column.size"), "CUDA",
                   say("report.scan.column.images"), say("report.scan.column.runs")},
                  rows);
}

std::string verdicts_table(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& one : answer.verdicts) {
    const std::string words = verdict_text(one.answer.verdict, say);
    const std::string reason = run_reason(one, answer.knowledge, say);
    rows.push_back({one.card.label, capability_text(one.card, say),
                    md_code(file_name(*one.file, style)), std::string(text_of(one.answer.verdict)),
                    reason.empty() ? words : words + "; " + reason});
  }
  return md_table({"GPU", say("report.column.capability"), say("report.scan.column.file"),
                   say("report.column.verdict"), say("report.column.reason")},
                  rows);
}

std::string kernel_lists(const FileScan& file, const ScanAnswer& answer, const Style& style) {
  std::string out;
  for (const auto& [arch, names] : file.kernel_names) {
    if (!answer.selection.takes(arch)) continue;
    std::vector<std::string> lines;
    for (const auto& name : shown_names(names, answer.demangle)) lines.push_back(visible(name));
    out +=
        "\n" + md_code(file_name(file, style)) + " " + arch.text() + "\n\n" + md_fence(lines, "");
  }
  return out;
}

}  // namespace

std::string scan_markdown(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  std::string out = say("report.markdown.intro", {{"version", std::string(program_version())},
                                                  {"date", std::string(answer.knowledge.date())}}) +
                    "\n\n";
  std::vector<std::string> sources;
  for (const auto& line : source_lines(answer, style, say)) sources.push_back(line.text);
  if (!sources.empty()) out += md_list(sources) + "\n";
  out += files_table(answer, style, say);
  const bool read_all = std::ranges::all_of(answer.scan.remote, &RemoteScan::whole);
  if (const auto none = nothing_selected(answer.scan, answer.selection)) {
    out += "\n" + text_of(*none, say) + "\n";
  }
  for (const auto& glob : answer.unmatched) {
    out += "\n" + say("cli.error.scan-member", {{"value", visible(glob)}}) + "\n";
  }
  if (answer.scan.files.empty() && read_all && answer.unmatched.empty()) {
    const std::string seen = std::to_string(answer.scan.files_seen);
    out += say(read_whole(answer.scan) ? "report.scan.nothing" : "report.scan.nothing-read",
               {{"count", seen}}) +
           "\n";
  }
  std::vector<std::string> problems;
  for (const auto& file : answer.scan.files) {
    for (const auto& problem : file.problems) {
      problems.push_back(problem_text(file, problem, style));
    }
  }
  for (const auto& problem : answer.scan.problems) problems.push_back(visible(problem.line()));
  if (!problems.empty()) out += "\n" + md_list(problems);
  if (!answer.verdicts.empty()) out += "\n" + verdicts_table(answer, style, say);
  if (answer.kernels && style.verbose) {
    for (const auto& file : answer.scan.files) out += kernel_lists(file, answer, style);
  }
  return out;
}

}  // namespace kernelfit::report
