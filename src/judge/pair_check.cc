// SPDX-License-Identifier: Apache-2.0
#include "judge/pair_check.h"

namespace kernelfit {
namespace {

// "any", "same-cudart", "same-major", "same-minor"; empty: a package that the table does not have.
std::string_view wanted_cuda(std::string_view package, const PackageVersion& version,
                             const Knowledge& knowledge) {
  const Csv& table = knowledge.table("libraries/cuda_checks.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "package") != package) continue;
    const auto versions = VersionSpecifier::parse(table.cell(row, "versions"));
    if (versions && versions->contains(version)) return table.cell(row, "torch_cuda");
  }
  return {};
}

// Its name holds the minor number up to libcudart.so.10.2, the major one since libcudart.so.11.0.
bool is_same_cudart(const DottedVersion& a, const DottedVersion& b) {
  const std::size_t numbers = a.major() < 11 || b.major() < 11 ? 2 : 1;
  return a.first(numbers) == b.first(numbers);
}

}  // namespace

bool accepts_cuda(std::string_view package, const PackageVersion& version, const DottedVersion& own,
                  const DottedVersion& torch, const Knowledge& knowledge) {
  const std::string_view wanted = wanted_cuda(package, version, knowledge);
  if (wanted == "any") return true;
  if (wanted == "same-minor") return own.first(2) == torch.first(2);
  return is_same_cudart(own, torch);
}

}  // namespace kernelfit
