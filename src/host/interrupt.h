// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a wish, not as an end: the command stops where it leaves nothing half done.
#pragma once
#include <atomic>

namespace kernelfit {

// While it lives, SIGINT, SIGTERM and SIGHUP (the terminal is closed) set a flag. One at a time. A
// signal that was ignored before (nohup) stays ignored.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  const std::atomic<bool>& flag() const;

 private:
  using Handler = void (*)(int);
  Handler interrupt_before_, terminate_before_, hangup_before_;
};

}  // namespace kernelfit
