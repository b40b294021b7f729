// SPDX-License-Identifier: Apache-2.0
// `kernelfit torch --matrix`: releases down, compute capabilities across, the builds with code in
// the cells. A terminal gets the newest build of each cell, Markdown and JSON get all.
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

std::string matrix_terminal(const Matrix& matrix, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  Row header = {{"torch", Ink::strong}};
  for (auto capability : matrix.capabilities) header.push_back({capability.text(), Ink::strong});
  rows.push_back(header);
  for (const auto& release : matrix.rows) {
    Row row = {{release.torch}};
    for (const auto& cell : release.runs) {
      row.push_back(cell.empty() ? Cell{"-", Ink::dim} : Cell{short_builds(cell)});
    }
    rows.push_back(row);
  }
  Style wide = style;  // a table that is folded can no longer be read
  wide.columns = 1000;
  return paint(title_of(matrix, say), Ink::strong, style) + "\n\n" +
         lay_out(rows, {.gap = 1}, wide) + "\n" + "  " +
         paint(say("report.matrix.legend"), Ink::dim, style) + "\n";
}

std::string matrix_markdown(const Matrix& matrix, const Catalogue& say) {
  std::vector<std::string> header = {"torch", "Python"};
  for (auto capability : matrix.capabilities) header.push_back(capability.text());
  std::vector<std::vector<std::string>> rows;
  for (const auto& release : matrix.rows) {
    std::vector<std::string> row = {release.torch, release.python};
    for (const auto& cell : release.runs) row.push_back(join(cell, " "));
    rows.push_back(row);
  }
  return "## " + title_of(matrix, say) + "\n\n" + md_table(header, rows);
}

Json row_json(const Matrix& matrix, const MatrixRow& row) {
  Json runs = Json::object();
  for (std::size_t i = 0; i < row.runs.size() && i < matrix.capabilities.size(); ++i) {
    runs.add(matrix.capabilities[i].text(), strings_json(row.runs[i]));
  }
  Json out = Json::object();
  out.add("torch", row.torch);
  out.add("date", text_json(row.date));
  out.add("python", text_json(row.python));
  out.add("builds", strings_json(row.builds));
  out.add("runs", std::move(runs));
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
