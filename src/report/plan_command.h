// SPDX-License-Identifier: Apache-2.0
// The question a report answered, as a command that can be typed.
#pragma once
#include <string>

#include "diagnose/diagnose.h"

namespace kernelfit::report {

// `kernelfit plan` with everything that was given, for this environment (-1: a fresh one).
std::string plan_command(const Situation& situation, int environment);

}  // namespace kernelfit::report
