// SPDX-License-Identifier: Apache-2.0
// Text in columns for a terminal: cells are padded by display width (wide characters are 2),
// painted after they are padded, and flow under themselves where the terminal is narrower than the
// row. Here every line of a report is made, so here nothing passes that cannot be seen
// (base/visible.h): a cell is one line whatever its value holds.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace kernelfit::report {

// Colour only repeats what the words say.
enum class Ink { plain, strong, good, bad, doubt, dim, code };

std::string paint(std::string_view text, Ink ink, const Style& style);

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
};
using Row = std::vector<Cell>;

struct Columns {
  int indent = 2;
  int gap = 3;
  int minimum_first = 0;  // the first column is at least this wide
  std::size_t hang = 1;   // the column that a folded row goes on under
};

// Every row on its line; a cell that does not fit goes to the next line, under column `hang`.
std::string lay_out(const std::vector<Row>& rows, const Columns& columns, const Style& style);

// Wrapped words of the catalogue or a rule, whose line breaks hold, behind a label, every further
// line under the first: "next: …".
std::string paragraph(const Cell& label, std::string_view text, int indent, int gap,
                      const Style& style, Ink ink = Ink::plain);

// Commands stand alone, whole and unwrapped, so that they can be pasted.
std::string command_lines(const std::vector<std::string>& commands, const Style& style);

}  // namespace kernelfit::report
