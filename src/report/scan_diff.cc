// SPDX-License-Identifier: Apache-2.0
// `scan --diff A B`: what went and what came, as diff(1) would: nothing where nothing differs.
#include <algorithm>

#include "base/text.h"
#include "base/visible.h"
#include "report/json_parts.h"
#include "report/markdown.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit {
namespace {

using report::GridRow;
using report::Ink;
using report::paint;

enum class What { gone, came, more, fewer };

What what_of(const ArchChange& change) {
  if (change.after == 0) return What::gone;
  if (change.before == 0) return What::came;
  return change.after > change.before ? What::more : What::fewer;
}

std::string change_text(const ArchChange& change) {
  const What what = what_of(change);
  if (what == What::gone) return change.arch.text() + " " + std::to_string(change.before);
  if (what == What::came) return change.arch.text() + " " + std::to_string(change.after);
  return change.arch.text() + " " + std::to_string(change.before) + "->" +
         std::to_string(change.after);
}

std::vector<std::string> cells_of(const FileChange& change, bool (*wanted)(What)) {
  std::vector<std::string> out;
  for (const auto& arch : change.archs) {
    if (wanted(what_of(arch))) out.push_back(change_text(arch));
  }
  return out;
}

std::vector<GridRow> arch_rows(const FileChange& change, const Catalogue& say) {
  std::vector<GridRow> rows = {
      {say("report.scan.diff.gone"), cells_of(change, [](What w) { return w == What::gone; })},
      {say("report.scan.diff.came"), cells_of(change, [](What w) { return w == What::came; })},
      {say("report.scan.diff.count"),
       cells_of(change, [](What w) { return w == What::more || w == What::fewer; })}};
  std::erase_if(rows, [](const GridRow& row) { return row.cells.empty(); });
  return rows;
}

std::string kernel_counts(const KernelChange& change, const Catalogue& say) {
  return say("report.scan.diff.kernels", {{"arch", change.arch.text()},
                                          {"gone", std::to_string(change.gone.size())},
                                          {"came", std::to_string(change.came.size())}});
}

std::string kernel_lines(const FileChange& change, const ScanDiff& diff, const Style& style,
                         const Catalogue& say) {
  std::string out;
  for (const auto& kernels : change.kernels) {
    out += report::note_line(kernel_counts(kernels, say), style);
    if (!style.verbose) continue;
    const auto list = [&](const std::vector<std::string>& names, const char* sign) {
      for (const auto& name : report::shown_names(names, diff.demangle)) {
        out += std::string("    ") + sign + " " + visible(name) + "\n";
      }
    };
    list(kernels.gone, "-");
    list(kernels.came, "+");
  }
  return out;
}

std::string change_block(const FileChange& change, const ScanDiff& diff, const Style& style,
                         const Catalogue& say) {
  std::string out = paint(visible(change.name), Ink::strong, style);
  if (!change.before) out += "   " + say("report.scan.diff.only", {{"side", diff.b}});
  if (!change.after) out += "   " + say("report.scan.diff.only", {{"side", diff.a}});
  out += "\n";
  if (style.quiet) return out;
  if (!change.archs.empty()) out += report::grid(arch_rows(change, say), 2, style);
  return out + kernel_lines(change, diff, style, say);
}

std::string summary(const ScanDiff& diff, const Catalogue& say) {
  if (diff.changes.empty()) {
    return say(diff.problems.empty() ? "report.scan.no-code" : "report.scan.no-code-read");
  }
  if (diff.differs() && !diff.surely_differs()) return say("report.scan.diff.unread");
  const auto differing = std::ranges::count_if(diff.changes, &FileChange::differs);
  if (differing == 0) {
    return say("report.scan.diff.equal", {{"files", std::to_string(diff.changes.size())}});
  }
  return say("report.scan.diff.differs", {{"differing", std::to_string(differing)},
                                          {"files", std::to_string(diff.changes.size())}});
}

std::string diff_terminal(const ScanDiff& diff, const Style& style, const Catalogue& say) {
  std::string out;
  for (const auto& change : diff.changes) {
    if (!change.differs()) continue;
    if (!out.empty() && !style.quiet) out += "\n";
    out += change_block(change, diff, style, say);
  }
  for (const auto& problem : diff.problems) {
    out +=
        report::paragraph({say("report.scan.problem"), Ink::doubt}, visible(problem), 0, 2, style);
  }
  return out + (out.empty() ? "" : "\n") + summary(diff, say) + "\n";
}

std::string diff_markdown(const ScanDiff& diff, const Style& style, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& change : diff.changes) {
    if (!change.differs()) continue;
    std::vector<std::string> parts;
    for (const auto& row : arch_rows(change, say)) {
      parts.push_back(row.label + ": " + join(row.cells, ", "));
    }
    for (const auto& kernels : change.kernels) parts.push_back(kernel_counts(kernels, say));
    const std::string side = change.before && change.after ? "" : change.before ? diff.a : diff.b;
    if (!side.empty()) parts.insert(parts.begin(), say("report.scan.diff.only", {{"side", side}}));
    rows.push_back({report::md_code(visible(change.name)), join(parts, "; ")});
  }
  std::string out =
      report::md_table({say("report.scan.column.file"), say("report.scan.column.change")}, rows);
  if (style.verbose && !diff.problems.empty()) out += "\n" + report::md_list(diff.problems);
  return out + (out.empty() ? "" : "\n") + summary(diff, say) + "\n";
}

Json change_json(const FileChange& change, const ScanDiff& diff) {
  const auto side = [](const FileScan* file) {
    if (file == nullptr) return Json();
    Json out = Json::object();
    out.add("path", file->path);
    out.add("member", report::text_json(file->member));
    out.add("bytes", static_cast<std::int64_t>(file->size_bytes));
    return out;
  };
  Json archs = Json::array(), kernels = Json::array();
  for (const auto& one : change.archs) {
    Json arch = Json::object();
    arch.add("arch", one.arch.text());
    arch.add("a", one.before);
    arch.add("b", one.after);
    archs.push(std::move(arch));
  }
  for (const auto& one : change.kernels) {
    Json kernel = Json::object();
    kernel.add("arch", one.arch.text());
    kernel.add("gone", report::strings_json(report::shown_names(one.gone, diff.demangle)));
    kernel.add("came", report::strings_json(report::shown_names(one.came, diff.demangle)));
    kernels.push(std::move(kernel));
  }
  Json out = Json::object();
  out.add("name", change.name);
  out.add("a", side(change.before));
  out.add("b", side(change.after));
  out.add("archs", std::move(archs));
  out.add("kernels", diff.kernels ? std::move(kernels) : Json());
  return out;
}

std::string diff_json(const ScanDiff& diff, const Catalogue& say) {
  Json out = report::head_json("scan-diff", diff.knowledge);
  Json changes = Json::array();
  for (const auto& change : diff.changes) {
    if (change.differs()) changes.push(change_json(change, diff));
  }
  out.add("a", diff.a);
  out.add("b", diff.b);
  out.add("equal", !diff.differs());
  out.add("compared", diff.changes.size());
  out.add("files", std::move(changes));
  out.add("problems", report::strings_json(diff.problems));
  report::add_remarks(out, diff.remarks, say);
  return out.dump();
}

}  // namespace

bool ScanDiff::surely_differs() const {
  const auto of_both = [](const FileChange& change) {
    const auto is_whole = [](const FileScan* file) { return file && file->problems.empty(); };
    return change.differs() && is_whole(change.before) && is_whole(change.after);
  };
  return problems.empty() ? differs() : std::ranges::any_of(changes, of_both);
}

bool ScanDiff::differs() const {
  return std::ranges::any_of(changes, &FileChange::differs);
}

std::string render_scan_diff(const ScanDiff& diff, const Style& style, const Catalogue& say) {
  if (style.format == Format::json) return diff_json(diff, say);
  if (style.format == Format::markdown) return diff_markdown(diff, style, say);
  return diff_terminal(diff, style, say);
}

}  // namespace kernelfit
