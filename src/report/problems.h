// SPDX-License-Identifier: Apache-2.0
// What probes could not read is told by them in English words of their own. Those that people are
// most likely to see stand in the catalogue, under report.problem.*: the English text is the
// pattern, another language's the translation.
#pragma once
#include <string>
#include <string_view>

#include "message/message.h"

namespace kernelfit::report {

// In the catalogue's language; what no pattern knows stays as it is.
std::string problem_text(std::string_view problem, const Catalogue& say);

}  // namespace kernelfit::report
