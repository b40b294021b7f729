// SPDX-License-Identifier: Apache-2.0
// What the tests of this room share: the embedded knowledge and its rule files, loaded once.
#pragma once
#include <gtest/gtest.h>

#include "diagnose/rule.h"

namespace kernelfit::tests {

inline const Knowledge& knowledge() {
  static const Knowledge kKnowledge = Knowledge::embedded();
  return kKnowledge;
}

// With their examples; a file that does not parse fails the test that asks first.
inline const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<std::string> problems;
    auto loaded = load_rules(knowledge(), problems, Examples::read);
    for (const auto& problem : problems) ADD_FAILURE() << problem;
    return loaded;
  }();
  return kRules;
}

}  // namespace kernelfit::tests
