// SPDX-License-Identifier: Apache-2.0
// The whole program as one function that a test can call: a host, the arguments, two streams.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "host/host.h"

namespace kernelfit::cli {

// Returns the exit status (contract.md 2).
int run(const Host& host, const std::vector<std::string>& arguments, std::ostream& out,
        std::ostream& err);

}  // namespace kernelfit::cli
