// SPDX-License-Identifier: Apache-2.0
#include "report/layout.h"

#include <algorithm>

#include "base/visible.h"

namespace kernelfit::report {
namespace {

// A cell wider than this does not push the columns of all other rows apart.
constexpr int kWidestAligned = 46;
// Below this a wrapped cell would be a tower of words.
constexpr int kNarrowestWrapped = 24;

std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::strong: return "\x1b[1m";
    case Ink::good: return "\x1b[32m";
    case Ink::bad: return "\x1b[31m";
    case Ink::doubt: return "\x1b[33m";
    case Ink::dim: return "\x1b[2m";
    case Ink::code: return "\x1b[36m";
    case Ink::plain: break;
  }
  return {};
}

std::vector<int> widths_of(const std::vector<Row>& rows, const Columns& columns) {
  std::vector<int> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      int width = display_width(row[i].text);
      if (width <= kWidestAligned) widths[i] = std::max(widths[i], width);
    }
  }
  if (!widths.empty()) widths[0] = std::max(widths[0], columns.minimum_first);
  return widths;
}

// One row being written: knows at which column the pen is.
class Pen {
 public:
  Pen(std::string& out, const Style& style) : out_(out), style_(style) {}
  int at() const { return at_; }
  void to(int column) {
    if (at_ >= column) return;
    out_.append(static_cast<std::size_t>(column - at_), ' ');
    at_ = column;
  }
  void write(std::string_view text, Ink ink) {
    out_ += paint(text, ink, style_);
    at_ += display_width(text);
  }
  void new_line() {
    out_ += '\n';
    at_ = 0;
  }

 private:
  std::string& out_;
  const Style& style_;
  int at_ = 0;
};

void write_wrapped(Pen& pen, const Cell& cell, int column, int width) {
  bool first = true;
  for (const auto& line : wrap(cell.text, std::max(width - column, kNarrowestWrapped))) {
    if (!first) pen.new_line();
    first = false;
    pen.to(column);
    pen.write(line, cell.ink);
  }
}

// On one line by columns where it fits; else cell after cell, each line under the hang column.
void write_row(Pen& pen, const Row& row, const std::vector<int>& widths, const Columns& columns,
               int width) {
  // A column without any text takes no room.
  auto step = [&](std::size_t i) { return widths[i] > 0 ? widths[i] + columns.gap : 0; };
  int hang = columns.indent;
  for (std::size_t i = 0; i < columns.hang && i < widths.size(); ++i) {
    if (i > 0 && hang + step(i) + kNarrowestWrapped > width) break;  // no room is left under it
    hang += step(i);
  }
  int column = columns.indent;
  bool folded = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    int after_last = pen.at() == 0 ? column : pen.at() + columns.gap;
    int start = folded ? after_last : std::max(column, i == 0 ? 0 : after_last);
    column += step(i);
    if (row[i].text.empty()) continue;
    if (start + display_width(row[i].text) > width && start > hang && pen.at() > 0) {
      pen.new_line();
      start = hang;
      folded = true;
    }
    write_wrapped(pen, row[i], start, width);
  }
  pen.new_line();
}

}  // namespace

std::string paint(std::string_view text, Ink ink, const Style& style) {
  std::string_view escape = escape_of(ink);
  if (!style.color || escape.empty() || text.empty()) return visible(text);
  return std::string(escape) + visible(text) + "\x1b[0m";
}

std::string lay_out(const std::vector<Row>& found, const Columns& columns, const Style& style) {
  std::string out;
  std::vector<Row> rows = found;
  for (auto& row : rows) {
    for (auto& cell : row) cell.text = visible(cell.text);
  }
  auto widths = widths_of(rows, columns);
  for (const auto& row : rows) {
    Pen pen(out, style);
    if (row.empty()) continue;
    write_row(pen, row, widths, columns, style.columns);
  }
  return out;
}

std::string paragraph(const Cell& label, std::string_view text, int indent, int gap,
                      const Style& style, Ink ink) {
  std::string out;
  Pen pen(out, style);
  pen.to(indent);
  pen.write(visible(label.text), label.ink);
  if (label.text.ends_with("：")) gap = 0;  // brings its own space
  int column = label.text.empty() ? indent : pen.at() + gap;
  write_wrapped(pen, {visible_lines(text), ink}, column, style.columns);
  pen.new_line();
  return out;
}

std::string command_lines(const std::vector<std::string>& commands, const Style& style) {
  std::string out;
  for (const auto& command : commands) out += "    " + paint(command, Ink::code, style) + "\n";
  return out;
}

}  // namespace kernelfit::report
