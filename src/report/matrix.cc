// SPDX-License-Identifier: Apache-2.0
// `kernelfit torch --matrix`: releases down, compute capabilities across, the builds with code in
// the cells. A terminal gets the newest build of each cell, Markdown and JSON get all.
#include <algorithm>

#include "report/json_parts.h"
#include "report/markdown.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string title_of(const Matrix& matrix, const Catalogue& say) {
  return say("report.matrix.title",
             {{"channel", channel_text(matrix.channel, say)}, {"platform", matrix.platform}});
}

// "cu118 cu126" -> "118 126": what a column of a terminal has room for.
std::string short_builds(const std::vector<std::string>& builds) {
  if (builds.empty()) return {};
  std::string_view name = builds.back();
  if (name.starts_with("cu") && name.size() > 2 && name[2] != 'd') name.remove_prefix(2);
  if (name.starts_with("cuda")) name.remove_prefix(4);
  return std::string(name) + (builds.size() > 1 ? "+" : "");
}

// A cell: the newest build with code, else the newest that runs by PTX, "~118".
std::string cell_text(const MatrixRow& row, std::size_t i) {
  if (!row.runs[i].empty()) return short_builds(row.runs[i]);
  return row.by_ptx[i].empty() ? std::string() : "~" + short_builds(row.by_ptx[i]);
}

constexpr int kReleaseWidth = 9;  // with its indent and the gap: "  1.13.1 "

// Where the table that begins with capability `first` has to end to fit.
std::size_t end_of_table(const Matrix& matrix, std::size_t first, int columns) {
  int used = kReleaseWidth;
  for (std::size_t i = first; i < matrix.capabilities.size(); ++i) {
    int width = display_width(matrix.capabilities[i].text());
    for (const auto& release : matrix.rows) {
      if (i < release.runs.size()) {
        width = std::max(width, display_width(cell_text(release, i)));
      }
    }
    used += width + (i > first ? 1 : 0);
    if (used > columns && i > first) return i;
  }
  return matrix.capabilities.size();
}

// The capabilities from `first` on that a terminal has room for.
std::vector<Row> matrix_rows(const Matrix& matrix, std::size_t first, std::size_t last) {
  Row header = {{"torch", Ink::strong}};
  for (std::size_t i = first; i < last; ++i) {
    header.push_back({matrix.capabilities[i].text(), Ink::strong});
  }
  std::vector<Row> rows = {header};
  for (const auto& release : matrix.rows) {
    Row row = {{release.torch}};
    for (std::size_t i = first; i < last && i < release.runs.size(); ++i) {
      const std::string cell = cell_text(release, i);
      row.push_back(cell.empty() ? Cell{"-", Ink::dim} : Cell{cell});
    }
    rows.push_back(row);
  }
  return rows;
}

// A table that is folded can no longer be read: what is too wide goes into a table below.
std::string matrix_terminal(const Matrix& matrix, const Style& style, const Catalogue& say) {
  Style wide = style;
  wide.columns = 1000;
  std::string out = paragraph({}, title_of(matrix, say), 0, 0, style, Ink::strong);
  for (std::size_t first = 0, last = 0; first < matrix.capabilities.size(); first = last) {
    last = end_of_table(matrix, first, style.columns);
    out += "\n" + lay_out(matrix_rows(matrix, first, last), {.gap = 1}, wide);
  }
  return out + "\n" + paragraph({}, say("report.matrix.legend"), 2, 0, style, Ink::dim);
}

std::string matrix_markdown(const Matrix& matrix, const Catalogue& say) {
  std::vector<std::string> header = {"torch", "Python"};
  for (auto capability : matrix.capabilities) header.push_back(capability.text());
  std::vector<std::vector<std::string>> rows;
  for (const auto& release : matrix.rows) {
    std::vector<std::string> row = {release.torch, release.python};
    for (std::size_t i = 0; i < release.runs.size(); ++i) {
      std::vector<std::string> cell = release.runs[i];
      for (const auto& build : release.by_ptx[i]) cell.push_back(build + " (PTX)");
      row.push_back(join(cell, " "));
    }
    rows.push_back(row);
  }
  return "## " + title_of(matrix, say) + "\n\n" + md_table(header, rows);
}

Json row_json(const Matrix& matrix, const MatrixRow& row) {
  Json runs = Json::object(), by_ptx = Json::object();
  for (std::size_t i = 0; i < row.runs.size() && i < matrix.capabilities.size(); ++i) {
    runs.add(matrix.capabilities[i].text(), strings_json(row.runs[i]));
    by_ptx.add(matrix.capabilities[i].text(), strings_json(row.by_ptx[i]));
  }
  Json out = Json::object();
  out.add("torch", row.torch);
  out.add("date", text_json(row.date));
  out.add("python", text_json(row.python));
  out.add("builds", strings_json(row.builds));
  out.add("runs", std::move(runs));
  out.add("by_ptx", std::move(by_ptx));
  return out;
}

Json matrices_json(const std::vector<Matrix>& matrices, const Knowledge& knowledge) {
  Json out = head_json("torch", knowledge);
  Json all = Json::array();
  for (const auto& matrix : matrices) {
    Json item = Json::object();
    item.add("channel", matrix.channel);
    item.add("platform", matrix.platform);
    Json capabilities = Json::array();
    for (auto capability : matrix.capabilities) capabilities.push(capability.text());
    item.add("capabilities", std::move(capabilities));
    Json rows = Json::array();
    for (const auto& row : matrix.rows) rows.push(row_json(matrix, row));
    item.add("rows", std::move(rows));
    all.push(std::move(item));
  }
  out.add("matrix", std::move(all));
  out.add("incomplete", false);
  return out;
}

}  // namespace
}  // namespace report

std::string render_matrices(const std::vector<Matrix>& matrices, const Knowledge& knowledge,
                            const Style& style, const Catalogue& say) {
  if (style.format == Format::json) return report::matrices_json(matrices, knowledge).dump();
  std::string out;
  for (const auto& matrix : matrices) {
    if (!out.empty()) out += "\n";
    out += style.format == Format::markdown ? report::matrix_markdown(matrix, say)
                                            : report::matrix_terminal(matrix, style, say);
  }
  return out;
}

}  // namespace kernelfit
