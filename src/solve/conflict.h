// SPDX-License-Identifier: Apache-2.0
// Why nothing fits: the smallest set of the request's facts that no build serves together, found by
// leaving facts out, smallest sets first.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "solve/wish.h"

namespace kernelfit::solving {

std::optional<Conflict> find_conflict(const Request& request, const Wish& wish,
                                      const Knowledge& knowledge);

// Cards of one Linux host that need different flavours of the kernel module (docs/compatibility.md
// 3).
bool flavors_conflict(const std::vector<Card>& cards, std::string_view os);

}  // namespace kernelfit::solving
