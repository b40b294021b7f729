// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kBytesOfACell = 12;  // of data/; a table of other cells grows as it is read

// Cell after cell from the front of the text.
class Reader {
 public:
  Reader(std::string_view text, std::deque<std::string>& unquoted)
      : text_(text), unquoted_(unquoted) {}
  bool at_end() const { return at_ >= text_.size(); }

  // Appends the cells up to the end of the line, which is passed over; how many there were.
  Result<std::size_t> row(std::vector<std::string_view>& cells) {
    row_line_ = line_;
    const std::size_t before = cells.size();
    for (bool more = true; more;) {
      bool quoted = !at_end() && text_[at_] == '"';
      KF_TRY(auto cell, quoted ? quoted_cell() : plain_cell());
      cells.push_back(cell);
      more = !at_end() && text_[at_] == ',';
      if (more) ++at_;
    }
    if (!at_end() && text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] != '\n') return wrong("text after a closing quote");
    ++at_;
    ++line_;
    return cells.size() - before;
  }
  std::size_t row_line() const { return row_line_; }
  tl::unexpected<Error> wrong(const std::string& what) const {
    return error(ErrorKind::malformed, "line " + std::to_string(row_line_) + ": " + what);
  }

 private:
  Result<std::string_view> plain_cell() {
    // A loop by hand: find_first_of of libstdc++ calls memchr for every character.
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != ',' && text_[end] != '\n') ++end;
    auto cell = text_.substr(at_, end - at_);
    if (!cell.empty() && cell.back() == '\r') cell.remove_suffix(1);
    at_ = end;
    return cell;
  }
  // Ends at a quote that is not doubled.
  Result<std::string_view> quoted_cell() {
    std::size_t start = ++at_;
    bool doubled = false;
    for (;; ++at_) {
      if (at_end()) return wrong("open quote");
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') continue;
      if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
      doubled = true;
      ++at_;
    }
    auto cell = text_.substr(start, at_++ - start);
    if (!doubled) return cell;
    return std::string_view(unquoted_.emplace_back(replace_all(std::string(cell), "\"\"", "\"")));
  }

  std::string_view text_;
  std::deque<std::string>& unquoted_;
  std::size_t at_ = 0, line_ = 1, row_line_ = 1;
};

}  // namespace

Result<Csv> Csv::parse(std::string_view text) {
  Csv csv;
  Reader reader(text, csv.unquoted_);
  while (!reader.at_end()) {
    auto& cells = csv.header_.empty() ? csv.header_ : csv.cells_;
    KF_TRY(std::size_t count, reader.row(cells));
    if (count == 1 && cells.back().empty()) {
      cells.pop_back();  // an empty line
    } else if (&cells == &csv.header_) {
      csv.cells_.reserve(text.size() / kBytesOfACell);
    } else if (count != csv.header_.size()) {
      return reader.wrong(std::to_string(count) + " cells, the header has " +
                          std::to_string(csv.header_.size()));
    } else {
      csv.lines_.push_back(reader.row_line());
    }
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
