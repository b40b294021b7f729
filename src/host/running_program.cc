// SPDX-License-Identifier: Apache-2.0
#include "host/running_program.h"

#include "host/process.h"

namespace kernelfit {

Result<std::unique_ptr<RunningProgram>> start_program(const Host& host, const Command& command,
                                                      const std::atomic<bool>* cancelled) {
  if (host.is_recorded()) {
    return error(ErrorKind::unsupported, "a recorded machine starts no program");
  }
  return start_process(command, cancelled);
}

}  // namespace kernelfit
