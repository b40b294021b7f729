// SPDX-License-Identifier: Apache-2.0
// nvidia-smi --query-gpu=… --format=csv. NVIDIA quotes nothing in it; no value holds a comma.
//
//   index, name, compute_cap, pci.bus_id, driver_version, memory.total [MiB], uuid, …
//   0, NVIDIA GeForce RTX 3060, 8.6, 00000000:07:00.0, 615.71.09, 12288 MiB, GPU-…, …
#include <map>

#include "base/text.h"
#include "nvidia/pci_text.h"
#include "nvidia/smi.h"
#include "nvidia/smi_values.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxGpus = 256;  // no machine has more; a hostile answer may

using Row = std::map<std::string_view, std::string_view>;

// "memory.total [MiB]" -> "memory.total"
std::vector<std::string_view> column_names(std::string_view line) {
  std::vector<std::string_view> names;
  for (std::string_view cell : split(line, ',')) {
    cell = trim(cell);
    names.push_back(trim(cell.substr(0, cell.find(" ["))));
  }
  return names;
}

bool is_header(std::string_view line) {
  if (contains(line, "--query-gpu")) return false;  // the command line above a pasted answer
  for (std::string_view name : column_names(line)) {
    if (name == "index" || name == "name" || name == "uuid" || name == "driver_version" ||
        name == "count" || name == "timestamp") {
      return true;
    }
  }
  return false;
}

std::string_view cell(const Row& row, std::string_view name) {
  auto found = row.find(name);
  return found == row.end() ? std::string_view() : found->second;
}

std::string text_cell(const Row& row, std::string_view name) {
  return printable(smi_value(cell(row, name)).value_or(""));
}

SmiGpu gpu_of(const Row& row, int position) {
  SmiGpu gpu;
  gpu.index = static_cast<int>(parse_int(cell(row, "index")).value_or(position));
  gpu.name = printable(plain_gpu_name(cell(row, "name")));
  gpu.pci_address = normal_pci_address(cell(row, "pci.bus_id"));
  gpu.pci_id = parse_pci_id_pair(cell(row, "pci.device_id"), cell(row, "pci.sub_device_id"));
  gpu.compute_capability = ComputeCapability::parse(cell(row, "compute_cap"));
  gpu.memory_mib = smi_mib(cell(row, "memory.total"));
  gpu.uuid = text_cell(row, "uuid");
  gpu.mig = smi_enabled(cell(row, "mig.mode.current"));
  gpu.compute_mode = text_cell(row, "compute_mode");
  gpu.driver_model = text_cell(row, "driver_model.current");
  for (const auto& [name, value] : row) {
    if (gpu.trouble.empty()) gpu.trouble = smi_trouble(value);
  }
  return gpu;
}

}  // namespace

Result<SmiAnswer> parse_smi_query(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  std::size_t at = 0;
  while (at < lines.size() && !is_header(lines[at])) ++at;
  if (at == lines.size()) {
    return error(ErrorKind::malformed, printable(trim(text.substr(0, 200))));
  }
  std::vector<std::string_view> names = column_names(lines[at]);
  SmiAnswer answer;
  for (++at; at < lines.size() && answer.gpus.size() < kMaxGpus; ++at) {
    std::vector<std::string_view> cells = split(lines[at], ',');
    if (cells.size() != names.size()) continue;  // a message between the rows
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[names[i]] = trim(cells[i]);
    answer.gpus.push_back(gpu_of(row, static_cast<int>(answer.gpus.size())));
    // R610 has kmd_version beside the old name, which it may stop to answer.
    if (answer.driver.empty()) answer.driver = smi_version(cell(row, "kmd_version"));
    if (answer.driver.empty()) answer.driver = smi_version(cell(row, "driver_version"));
  }
  return answer;
}

}  // namespace kernelfit
