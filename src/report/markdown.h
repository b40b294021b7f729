// SPDX-License-Identifier: Apache-2.0
// Markdown as forums and issue trackers read it: tables, fenced commands, nothing that a cell's
// content could break.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit::report {

std::string md_cell(std::string_view text);  // one line; | taken care of
std::string md_code(std::string_view text);  // `text`
std::string md_table(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& rows);
std::string md_fence(const std::vector<std::string>& lines, std::string_view language);
std::string md_list(const std::vector<std::string>& items);

}  // namespace kernelfit::report
