// SPDX-License-Identifier: Apache-2.0
// The sentences of a rule where no machine gives their values.
#pragma once
#include <string>
#include <vector>

#include "diagnose/rule.h"

namespace kernelfit::report {

// The short title where the other one asks for values: "a compiled component holds no code …".
std::string open_title(const Rule& rule, const Catalogue& say);

// What happened, the messages that tell of it, what to do, what will not help: Markdown under
// headings of the level.
std::string rule_body(const Rule& rule, const Knowledge& knowledge, const Catalogue& say,
                      int level);

// Every wording of a message, from paste/messages.csv: "RuntimeError: CUDA error: no kernel …".
std::vector<std::string> wordings_of(std::string_view message, const Knowledge& knowledge);

}  // namespace kernelfit::report
