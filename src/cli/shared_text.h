// SPDX-License-Identifier: Apache-2.0
// The last thing that happens to a text before it is printed: what must not be shared is taken out.
// Tokens and passwords always; names of people and machines in Markdown, or with --redact.
#pragma once
#include <string>

#include "cli/context.h"
#include "host/redact.h"

namespace kernelfit::cli {

std::string shared_text(const std::string& text, const Context& context);
bool redacts(const Args& args, Format format);

}  // namespace kernelfit::cli
