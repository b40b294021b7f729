// SPDX-License-Identifier: Apache-2.0
// The whole program as one function that a test can call: a host, the arguments, two streams, and
// what main.cc knows of the console (host/console.h; the default is "no terminal, no day").
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "host/console.h"
#include "host/host.h"

namespace kernelfit::cli {

// Returns the exit status (docs/contract.md 2).
int run(const Host& host, const std::vector<std::string>& arguments, std::ostream& out,
        std::ostream& err, const Console& console = {});

}  // namespace kernelfit::cli
