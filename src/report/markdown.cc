// SPDX-License-Identifier: Apache-2.0
#include "report/markdown.h"

#include "base/visible.h"

namespace kernelfit::report {
namespace {

std::string table_line(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) out += " " + md_cell(cell) + " |";
  return out + "\n";
}

}  // namespace

std::string md_cell(std::string_view text) {
  return replace_all(visible(text), "|", "\\|");
}

// Ticks enough that the text cannot end its own span, and room where it begins or ends with one.
std::string md_code(std::string_view text) {
  if (text.empty()) return {};
  const std::string shown = visible(text);
  std::string ticks = "`";
  while (contains(shown, ticks)) ticks += '`';
  const bool touches = shown.front() == '`' || shown.back() == '`';
  const std::string room = touches ? " " : "";
  return ticks + room + shown + room + ticks;
}

std::string md_table(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  std::string out = table_line(header);
  out += "|";
  for (std::size_t i = 0; i < header.size(); ++i) out += " --- |";
  out += "\n";
  for (const auto& row : rows) out += table_line(row);
  return out;
}

std::string md_fence(const std::vector<std::string>& lines, std::string_view language) {
  std::string fence = "```";
  for (const auto& line : lines) {
    while (contains(line, fence)) fence += '`';
  }
  std::string out = fence + std::string(language) + "\n";
  for (const auto& line : lines) out += visible(line) + "\n";
  return out + fence + "\n";
}

std::string md_list(const std::vector<std::string>& items) {
  std::string out;
  for (const auto& item : items) out += "- " + visible(item) + "\n";
  return out;
}

}  // namespace kernelfit::report
