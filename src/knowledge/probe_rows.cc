// SPDX-License-Identifier: Apache-2.0
#include "knowledge/probe_rows.h"

#include "knowledge/table.h"

namespace kernelfit {
namespace {

constexpr std::string_view kJetpacks = "torch/jetpack.csv";
constexpr std::string_view kTegra = "gpus/tegra.csv";
constexpr std::string_view kPackages = "libraries/packages.csv";

constexpr Field<JetpackRow> kJetpackFields[] = {
    field<&JetpackRow::l4t>("l4t"),
    field<&JetpackRow::jetpack>("jetpack"),
};
constexpr Field<TegraRow> kTegraFields[] = {
    field<&TegraRow::compatible>("compatible"),
    field<&TegraRow::name>("name"),
    field<&TegraRow::capability>("compute_capability"),
};
constexpr Field<PackageRow> kPackageFields[] = {
    field<&PackageRow::name>("package"),      field<&PackageRow::pip_name>("pip_name"),
    field<&PackageRow::reads>("reads"),       field<&PackageRow::folder>("folder"),
    field<&PackageRow::files>("files"),       field<&PackageRow::version_py>("version_py"),
    field<&PackageRow::gpu_code>("gpu_code"), field<&PackageRow::build_with>("build_with"),
};

}  // namespace

std::vector<JetpackRow> jetpack_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems) {
  return load_rows<JetpackRow>(knowledge.table(kJetpacks), kJetpacks, kJetpackFields, problems);
}

std::vector<TegraRow> tegra_rows(const Knowledge& knowledge, std::vector<std::string>& problems) {
  return load_rows<TegraRow>(knowledge.table(kTegra), kTegra, kTegraFields, problems);
}

std::vector<PackageRow> package_rows(const Knowledge& knowledge,
                                     std::vector<std::string>& problems) {
  return load_rows<PackageRow>(knowledge.table(kPackages), kPackages, kPackageFields, problems);
}

}  // namespace kernelfit
