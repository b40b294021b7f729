// SPDX-License-Identifier: Apache-2.0
#include "solve/torch_pins.h"

#include <algorithm>

namespace kernelfit::solving {

std::vector<TorchPin> torch_pins(std::string_view package, const Knowledge& knowledge) {
  std::vector<TorchPin> out;
  const Csv& table = knowledge.table("libraries/torch_pins.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "package") != package) continue;
    const auto version = PackageVersion::parse(table.cell(row, "version"));
    const auto torch = VersionSpecifier::parse(table.cell(row, "torch"));
    if (version && torch) out.push_back({*version, *torch, table.cell(row, "source")});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const TorchPin& a, const TorchPin& b) { return a.version > b.version; });
  return out;
}

std::optional<TorchPin> pin_for(std::string_view package, const PackageVersion& torch,
                                const Knowledge& knowledge) {
  const auto pins = torch_pins(package, knowledge);
  const auto found = std::find_if(pins.begin(), pins.end(),
                                  [&](const TorchPin& pin) { return pin.torch.contains(torch); });
  return found == pins.end() ? std::nullopt : std::optional(*found);
}

}  // namespace kernelfit::solving
