// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include "base/text.h"

namespace kernelfit {

Result<Csv> Csv::parse(std::string_view text) {
  Csv csv;
  std::vector<std::string_view> row;
  std::size_t line = 1, at = 0;
  while (at < text.size()) {
    std::size_t row_line = line;
    row.clear();
    for (bool more = true; more;) {
      if (at < text.size() && text[at] == '"') {
        std::size_t start = ++at;
        bool doubled = false;
        for (;; ++at) {
          if (at >= text.size()) {
            return error(ErrorKind::malformed, "line " + std::to_string(row_line) + ": open quote");
          }
          if (text[at] == '\n') ++line;
          if (text[at] != '"') continue;
          if (at + 1 < text.size() && text[at + 1] == '"') {
            doubled = true;
            ++at;
            continue;
          }
          break;
        }
        auto cell = text.substr(start, at - start);
        if (doubled) cell = csv.unquoted_.emplace_back(replace_all(std::string(cell), "\"\"", "\""));
        row.push_back(cell);
        ++at;
      } else {
        auto end = text.find_first_of(",\n", at);
        if (end == std::string_view::npos) end = text.size();
        auto cell = text.substr(at, end - at);
        if (!cell.empty() && cell.back() == '\r') cell.remove_suffix(1);
        row.push_back(cell);
        at = end;
      }
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] != '\n') {
      return error(ErrorKind::malformed,
                   "line " + std::to_string(row_line) + ": text after a closing quote");
    }
    ++at;
    ++line;
    if (row.size() == 1 && row[0].empty()) continue;  // an empty line
    if (csv.header_.empty()) {
      csv.header_ = row;
      continue;
    }
    if (row.size() != csv.header_.size()) {
      return error(ErrorKind::malformed, "line " + std::to_string(row_line) + ": " +
                                             std::to_string(row.size()) + " cells, the header has " +
                                             std::to_string(csv.header_.size()));
    }
    csv.cells_.insert(csv.cells_.end(), row.begin(), row.end());
  }
  return csv;
}

int Csv::column(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i] == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace kernelfit
