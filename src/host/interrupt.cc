// SPDX-License-Identifier: Apache-2.0
#include "host/interrupt.h"

#include <csignal>

namespace kernelfit {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

void note(int) {
  interrupted = true;
}

void (*listen(int signal))(int) {
  const auto before = std::signal(signal, note);
  if (before == SIG_IGN) std::signal(signal, SIG_IGN);
  return before;
}

#ifdef SIGHUP
constexpr int kHangup = SIGHUP;
#else
constexpr int kHangup = SIGTERM;  // Windows has none
#endif

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = false;
  interrupt_before_ = listen(SIGINT);
  terminate_before_ = listen(SIGTERM);
  hangup_before_ = kHangup == SIGTERM ? terminate_before_ : listen(kHangup);
}

InterruptFlag::~InterruptFlag() {
  if (interrupt_before_ != SIG_ERR) std::signal(SIGINT, interrupt_before_);
  if (hangup_before_ != SIG_ERR) std::signal(kHangup, hangup_before_);
  if (terminate_before_ != SIG_ERR) std::signal(SIGTERM, terminate_before_);
}

const std::atomic<bool>& InterruptFlag::flag() const {
  return interrupted;
}

}  // namespace kernelfit
