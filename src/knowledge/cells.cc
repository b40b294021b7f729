// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "knowledge/table.h"

namespace kernelfit {

std::string_view text_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::low: return "low";
    case Confidence::medium: return "medium";
    case Confidence::high: return "high";
  }
  return "low";
}

bool read_cell(std::string_view cell, std::string_view& out) {
  out = cell;
  return true;
}

bool read_cell(std::string_view cell, ComputeCapability& out) {
  auto value = ComputeCapability::parse(cell);
  if (value) out = *value;
  return value.has_value();
}

bool read_cell(std::string_view cell, DottedVersion& out) {
  if (cell.empty()) return true;
  auto value = DottedVersion::parse(cell);
  if (value) out = *std::move(value);
  return !out.empty();
}

bool read_cell(std::string_view cell, PackageVersion& out) {
  auto value = PackageVersion::parse(cell);
  if (!value) return false;
  out = *std::move(value);
  return true;
}

bool read_cell(std::string_view cell, std::vector<GpuArch>& out) {
  for (; !cell.empty(); cell = cell.substr(std::min(cell.size(), cell.find(' ') + 1))) {
    auto arch = GpuArch::parse(cell.substr(0, cell.find(' ')));
    if (!arch) return false;
    out.push_back(*arch);
    if (cell.find(' ') == std::string_view::npos) break;
  }
  return true;
}

bool read_cell(std::string_view cell, bool& out) {
  out = cell == "yes";
  return cell == "yes" || cell == "no";
}

bool read_cell(std::string_view cell, int& out) {
  auto value = parse_int(cell);
  if (!value || *value < 0 || *value > 1'000'000) return false;
  out = static_cast<int>(*value);
  return true;
}

bool read_hex_cell(std::string_view cell, int& out) {
  if (cell.empty()) return true;
  auto value = parse_hex(cell);
  if (!value || *value > 0xffff) return false;
  out = static_cast<int>(*value);
  return true;
}

bool read_cell(std::string_view cell, Confidence& out) {
  for (auto value : {Confidence::low, Confidence::medium, Confidence::high}) {
    if (cell != text_of(value)) continue;
    out = value;
    return true;
  }
  return false;
}

}  // namespace kernelfit
