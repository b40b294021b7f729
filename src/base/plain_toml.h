// SPDX-License-Identifier: Apache-2.0
// The part of TOML that heads of rules are written in, read fast: some hundred of them are read at
// each start. What is not in that part is left to toml++, faults and their words too.
#pragma once
#include <optional>
#include <string_view>

#include "base/json.h"

namespace kernelfit {

// ASCII; comments, `key = value`, `[table]`, `[[table]]`, no dotted keys; basic strings of one line
// with the escapes \" \\ \n \t, arrays of such values, true, false, decimal integers. nullopt: not
// in that part.
std::optional<Json> read_plain_toml(std::string_view text);

// By toml++, whatever it is.
Result<Json> read_any_toml(std::string_view text);

}  // namespace kernelfit
