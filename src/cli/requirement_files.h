// SPDX-License-Identifier: Apache-2.0
// The requirements files of `plan -r FILE`, and what they name with -r and -c, as pip follows them.
#pragma once
#include <optional>

#include "cli/context.h"
#include "cli/wish.h"

namespace kernelfit::cli {

// All of --requirement. A file that cannot be read, a line that pip would not take and files that
// name each other in a circle are the problem.
std::optional<Said> read_requirement_files(const Context& context, Wishes& wishes);

}  // namespace kernelfit::cli
