// SPDX-License-Identifier: Apache-2.0
// A program whose output is read while it runs, and which ends when nobody reads on.
#pragma once
#include <atomic>
#include <memory>

#include "base/stream.h"
#include "host/host.h"

namespace kernelfit {

class RunningProgram : public ByteStream {
 public:
  // What became of it, once read() has returned 0 or an error: its status, whether it was silent
  // for too long (timed_out), what it wrote to stderr. `out` is empty.
  virtual const CommandResult& result() const = 0;
};

// As Host::run() starts it. `command.timeout` is how long read() waits for the next bytes;
// `cancelled` may be null. The program is killed when the stream goes. ErrorKind::unsupported on a
// recorded machine, and on systems where this is not written yet.
Result<std::unique_ptr<RunningProgram>> start_program(const Host& host, const Command& command,
                                                      const std::atomic<bool>* cancelled);

}  // namespace kernelfit
