// SPDX-License-Identifier: Apache-2.0
// From what a text tells to what it means: what explain and run do alike.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"
#include "diagnose/diagnose.h"
#include "diagnose/rule.h"
#include "paste/paste.h"

namespace kernelfit::cli {

struct Explained {
  std::vector<Finding> findings;
  std::string text;  // in the format that was asked for
};
Explained explain_paste(const Paste& paste, const std::vector<Rule>& rules, const Context& context);

}  // namespace kernelfit::cli
