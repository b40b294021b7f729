// SPDX-License-Identifier: Apache-2.0
// kernelfit explain "no kernel image": the rules that somebody means by a few words.
#pragma once
#include <string>
#include <vector>

#include "diagnose/rule.h"

namespace kernelfit::cli {

// By code or name; else those that the words, read as a pasted line, speak for; else those whose
// texts or messages hold all of them. What only says that nothing is decided comes last, alone.
std::vector<const Rule*> rules_about(const std::string& words, const std::vector<Rule>& rules,
                                     const Knowledge& knowledge);

}  // namespace kernelfit::cli
