// SPDX-License-Identifier: Apache-2.0
// How old the knowledge is: said in every answer once it is more than 60 days (docs/contract.md 1).
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "message/said.h"

namespace kernelfit {

// Days from one date to another ("2026-11-30"); nothing where either is no date.
std::optional<int> days_between(std::string_view from, std::string_view to);

// `today`: "2026-11-30"; empty: not known, and nothing is said.
std::vector<Said> age_notes(const Knowledge& knowledge, std::string_view today);

}  // namespace kernelfit
