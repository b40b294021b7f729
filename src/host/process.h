// SPDX-License-Identifier: Apache-2.0
// Runs a program with no more than it needs: no input, a scrubbed environment, a process group (on
// Windows a job) of its own, an end to its time and to its output. One implementation per system.
#pragma once
#include <string_view>

#include "base/result.h"
#include "host/host.h"
#include "host/running_program.h"

namespace kernelfit {

Result<CommandResult> run_process(const Command& command);
// host/running_program.h
Result<std::unique_ptr<RunningProgram>> start_process(const Command& command,
                                                      const std::atomic<bool>* cancelled);

// Whether a child sees a variable of ours: where it finds programs and libraries, and what CUDA
// itself reads. Not PYTHON*, not a locale, not a token that happens to be in the environment.
inline bool child_sees(std::string_view name) {
  for (std::string_view kept : {"PATH", "HOME", "LD_LIBRARY_PATH", "LD_PRELOAD"}) {
    if (name == kept) return true;
  }
  return name.starts_with("CUDA_") || name.starts_with("NVIDIA_");
}

}  // namespace kernelfit
