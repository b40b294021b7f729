// SPDX-License-Identifier: Apache-2.0
// A program run as a shell would run it, seen while it runs: its input, environment, folder and
// signals are those of this process; what it writes goes on at once, byte for byte.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kernelfit {

enum class Output { standard, error };

struct PassedThrough {
  int status = 0;  // its exit status; 128 + signal where a signal ended it
  int signal = 0;  // that signal
};

// `argv[0]` is looked up as execvp(3) does. Where an output is a terminal, the program writes to a
// terminal too (POSIX: a pseudo-terminal of the same size), so that colours and line by line output
// stay; elsewhere it writes into a pipe. Signals sent to this process alone go on to the program;
// Ctrl-C reaches both, and ends only the program. Ends with the program: what the program left
// running in the background writes to nobody.
//
// not_found, denied: it was not started.
Result<PassedThrough> run_passed_through(
    const std::vector<std::string>& argv,
    const std::function<void(Output, std::string_view bytes)>& seen);

}  // namespace kernelfit
