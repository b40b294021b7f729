// SPDX-License-Identifier: Apache-2.0
// The help texts, made from the tables and the catalogue.
#pragma once
#include <string>

#include "cli/commands.h"
#include "report/report.h"

namespace kernelfit::cli {

std::string help_text(const Style& style, const Catalogue& say);  // all commands
std::string command_help(const Command& command, const Style& style, const Catalogue& say);

}  // namespace kernelfit::cli
