// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto csv = kernelfit::Csv::parse({reinterpret_cast<const char*>(data), size});
  if (!csv) return 0;
  std::size_t total = 0;
  for (std::size_t row = 0; row < csv->rows(); ++row) {
    for (std::size_t i = 0; i < csv->header().size(); ++i) {
      total += csv->cell(row, static_cast<int>(i)).size();
    }
  }
  return total > size ? -1 : 0;  // cells come from the text
}
