// SPDX-License-Identifier: Apache-2.0
#include "judge/cuda_floor.h"

namespace kernelfit {

DottedVersion cuda_floor(ComputeCapability capability, const Knowledge& knowledge) {
  DottedVersion floor;
  const Csv& table = knowledge.table("cuda/card_floor.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto from = ComputeCapability::parse(table.cell(row, "capability_min"));
    const auto cuda = DottedVersion::parse(table.cell(row, "cuda_min"));
    if (from && cuda && capability >= *from && *cuda > floor) floor = *cuda;
  }
  return floor;
}

}  // namespace kernelfit
