// SPDX-License-Identifier: Apache-2.0
#include "cli/probe_tables.h"

#include "judge/card.h"
#include "knowledge/probe_rows.h"

namespace kernelfit::cli {

GpuPackages gpu_packages(const Knowledge& knowledge) {
  std::vector<GpuPackage> rows;
  std::vector<std::string> problems;  // said when the knowledge was loaded
  for (const PackageRow& row : package_rows(knowledge, problems)) {
    rows.push_back({std::string(row.name), std::string(row.pip_name), std::string(row.reads),
                    std::string(row.folder), std::string(row.files), row.version_py});
  }
  return GpuPackages(std::move(rows));
}

bool is_card_probe(std::string_view id) {
  return id == "pci" || id == "jetson" || id == "module" || id == "nvml" || id == "windows";
}

ProbeOptions probe_options(std::vector<std::string> environments, const Knowledge& knowledge) {
  ProbeOptions options;
  options.only_given_environments = !environments.empty();
  options.environments = std::move(environments);
  options.packages = gpu_packages(knowledge);
  std::vector<std::string> problems;
  for (const JetpackRow& row : jetpack_rows(knowledge, problems)) {
    options.jetpacks.push_back({row.l4t, std::string(row.jetpack)});
  }
  for (const TegraRow& row : tegra_rows(knowledge, problems)) {
    options.tegra_chips.push_back(
        {std::string(row.compatible), std::string(row.name), row.capability});
  }
  options.chip_of = [&knowledge](const Gpu& gpu) { return identify(gpu, knowledge).chip; };
  return options;
}

}  // namespace kernelfit::cli
