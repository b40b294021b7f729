// SPDX-License-Identifier: Apache-2.0
// How a table's cells become a struct: a list of fields is the schema. A row without a source, or
// with a cell that does not read, is left out and said.
//
//   constexpr Field<DriverBranch> kFields[] = {field<&DriverBranch::branch>("branch"), …};
//   std::vector<DriverBranch> rows = load_rows<DriverBranch>(csv, kFields, problems);
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "knowledge/knowledge.h"

namespace kernelfit {

// False where the cell does not read as this type. An empty cell is an empty value where the type
// has one.
bool read_cell(std::string_view cell, std::string_view& out);
bool read_cell(std::string_view cell, ComputeCapability& out);
bool read_cell(std::string_view cell, DottedVersion& out);
bool read_cell(std::string_view cell, PackageVersion& out);
bool read_cell(std::string_view cell, std::vector<GpuArch>& out);
bool read_cell(std::string_view cell, bool& out);  // yes, no
bool read_cell(std::string_view cell, int& out);   // decimal
bool read_cell(std::string_view cell, Confidence& out);
bool read_hex_cell(std::string_view cell, int& out);  // empty: 0

template <class Row>
struct Field {
  std::string_view column;
  bool (*read)(std::string_view cell, Row& row);
};

template <class T>
struct RowOf;
template <class Row, class Member>
struct RowOf<Member Row::*> {
  using type = Row;
};

template <auto member>
constexpr auto field(std::string_view column) {
  using Row = typename RowOf<decltype(member)>::type;
  return Field<Row>{column,
                    [](std::string_view cell, Row& row) { return read_cell(cell, row.*member); }};
}
template <auto member>
constexpr auto hex_field(std::string_view column) {
  using Row = typename RowOf<decltype(member)>::type;
  return Field<Row>{
      column, [](std::string_view cell, Row& row) { return read_hex_cell(cell, row.*member); }};
}

template <class Row>
std::vector<Row> load_rows(const Csv& csv, std::string_view path,
                           std::span<const Field<Row>> fields, std::vector<std::string>& problems,
                           std::string_view source_column = "source") {
  std::vector<Row> rows;
  std::vector<int> columns;
  for (const auto& one : fields) {
    columns.push_back(csv.column(one.column));
    if (columns.back() < 0 && csv.rows() > 0) {
      problems.push_back(std::string(path) + ": no column " + std::string(one.column));
    }
  }
  int source = csv.column(source_column), confidence = csv.column("confidence");
  int note = csv.column("note");
  rows.reserve(csv.rows());
  for (std::size_t at = 0; at < csv.rows(); ++at) {
    Row row;
    std::string_view bad;
    for (std::size_t i = 0; i < fields.size() && bad.empty(); ++i) {
      if (!fields[i].read(csv.cell(at, columns[i]), row)) bad = fields[i].column;
    }
    row.basis.sources = csv.cell(at, source);
    row.basis.note = csv.cell(at, note);
    if (bad.empty() && !read_cell(csv.cell(at, confidence), row.basis.confidence)) {
      bad = "confidence";
    }
    if (bad.empty() && row.basis.sources.empty()) bad = source_column;
    if (bad.empty()) {
      rows.push_back(std::move(row));
    } else {
      problems.push_back(std::string(path) + ": line " + std::to_string(csv.line(at)) + ": " +
                         std::string(bad) + " does not read");
    }
  }
  return rows;
}

}  // namespace kernelfit
