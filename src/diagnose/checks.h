// SPDX-License-Identifier: Apache-2.0
// What a rule's condition cannot say: a rule with `check = "name"` asks the function of that name
// too. Keep these few: a fact that a condition can ask for serves every rule.
#pragma once
#include <span>
#include <string_view>

#include "diagnose/facts.h"

namespace kernelfit {

struct Check {
  std::string_view name;
  bool (*holds)(const Situation& situation, const Subject& subject, const Facts& facts);
};

std::span<const Check> checks();
const Check* find_check(std::string_view name);

}  // namespace kernelfit
