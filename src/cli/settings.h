// SPDX-License-Identifier: Apache-2.0
// How to speak and to look: language, colour, width, marks. From flags, then the environment, then
// the console; pure, so that the order of each is a table in settings_test.cc.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "host/console.h"
#include "report/report.h"

namespace kernelfit::cli {

using Variable = std::function<std::optional<std::string>(std::string_view name)>;

// --lang, KERNELFIT_LANG, LANGUAGE, LC_ALL, LC_MESSAGES, LANG, the system's own setting.
std::string language_for(const Args& args, const Variable& variable, const Console& console);

// --color, NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR, CLICOLOR=0, a terminal, TERM=dumb: the first
// that speaks decides.
bool color_for(const Args& args, const Variable& variable, const Console& console);

// Whether characters beyond ASCII can be shown: the locale's encoding, or the console's.
bool unicode_for(const Variable& variable, const Console& console);

Style style_for(const Args& args, const Variable& variable, const Console& console);

}  // namespace kernelfit::cli
