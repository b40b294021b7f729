// SPDX-License-Identifier: Apache-2.0
// Any text in place of any table: `--knowledge DIR` is a person's file.
#include <cstdint>
#include <string>

#include "knowledge/knowledge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  static constexpr const char* kTables[] = {
      "gpus/products.csv",   "gpus/pci_ids.csv",         "torch/releases.csv",
      "torch/builds.csv",    "cuda/driver_branches.csv", "cuda/toolkits.csv",
      "cuda/driver_min.csv", "libraries/arch.csv",       "knowledge.toml"};
  if (size == 0) return 0;
  const char* path = kTables[data[0] % std::size(kTables)];
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto known = Knowledge::with_files({{path, std::move(text)}});
  if (known) (void)known->problems();
  return 0;
}
