// SPDX-License-Identifier: Apache-2.0
#include "judge/evidence_parts.h"

namespace kernelfit::judging {
namespace {

std::size_t match_length(std::string_view row, std::string_view package) {
  if (row == package) return row.size() + 1;  // its own row goes before any beginning
  if (!row.ends_with('*')) return 0;
  row.remove_suffix(1);
  return package.starts_with(row) ? row.size() : 0;
}

}  // namespace

CodePackages::CodePackages(const Knowledge& knowledge) {
  std::vector<std::string> problems;  // said when the knowledge was loaded
  rows_ = package_rows(knowledge, problems);
}

bool CodePackages::has(std::string_view package) const {
  const PackageRow* found = nullptr;
  std::size_t longest = 0;
  for (const PackageRow& row : rows_) {
    const std::size_t length = match_length(row.name, package);
    if (length > longest) longest = length, found = &row;
  }
  return found != nullptr && found->gpu_code == "yes";
}

}  // namespace kernelfit::judging
