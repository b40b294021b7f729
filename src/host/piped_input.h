// SPDX-License-Identifier: Apache-2.0
// What a person pipes into the program: the one input that is not a file of a machine.
#pragma once
#include <string>

#include "base/result.h"

namespace kernelfit {

// Standard input for "-", else a named pipe such as the `/dev/fd/63` of a shell's `<(…)`; waits for
// its end. More than `limit_bytes` is ErrorKind::unsupported.
Result<std::string> read_piped(const std::string& path,
                               std::size_t limit_bytes = std::size_t{1} << 20);

}  // namespace kernelfit
