// SPDX-License-Identifier: Apache-2.0
// What the output of a program does not tell of the machine that it ran on.
#pragma once
#include "cli/context.h"

namespace kernelfit::cli {

// Cards, driver and, of a program in Python, its environment: looked up here, where `told` does not
// have them. False where nothing was added: no card is here, or the program (context.args.program)
// works on another machine.
bool add_own_machine(Machine& told, const Context& context);

}  // namespace kernelfit::cli
