// SPDX-License-Identifier: Apache-2.0
// Machines by what is wrong with them, and the cause that a knowing person would name first.
#pragma once
#include <functional>

#include "diagnose/machines_for_tests.h"

namespace kernelfit::tests {

struct Case {
  const char* what;
  const char* first;  // "": nothing is wrong
  std::function<Machine()> build;
};
const std::vector<Case>& cases();

}  // namespace kernelfit::tests
