// SPDX-License-Identifier: Apache-2.0
// The tables of data/ that probes are handed, read from the source tree. Tests only.
#pragma once
#include <fstream>
#include <sstream>

#include "base/csv.h"
#include "probe/probe.h"

namespace kernelfit {

inline std::string data_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(KF_TESTS_DIR "/../data/" + path, std::ios::binary).rdbuf();
  return text.str();
}

inline ProbeOptions with_tables(ProbeOptions options = {}) {
  const std::string packages = data_file("libraries/packages.csv");
  const std::string jetpacks = data_file("torch/jetpack.csv");
  Csv csv = Csv::parse(packages).value_or(Csv());
  std::vector<GpuPackage> rows;
  for (std::size_t at = 0; at < csv.rows(); ++at) {
    auto cell = [&](std::string_view column) { return std::string(csv.cell(at, column)); };
    rows.push_back({cell("package"), cell("pip_name"), cell("reads"), cell("folder"), cell("files"),
                    cell("version_py") == "yes"});
  }
  options.packages = GpuPackages(std::move(rows));
  csv = Csv::parse(jetpacks).value_or(Csv());
  for (std::size_t at = 0; at < csv.rows(); ++at) {
    options.jetpacks.push_back({dotted(csv.cell(at, "l4t")), std::string(csv.cell(at, "jetpack"))});
  }
  const std::string chips = data_file("gpus/tegra.csv");
  csv = Csv::parse(chips).value_or(Csv());
  for (std::size_t at = 0; at < csv.rows(); ++at) {
    options.tegra_chips.push_back({std::string(csv.cell(at, "compatible")),
                                   std::string(csv.cell(at, "name")),
                                   *ComputeCapability::parse(csv.cell(at, "compute_capability"))});
  }
  return options;
}

}  // namespace kernelfit
