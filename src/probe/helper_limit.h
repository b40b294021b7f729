// SPDX-License-Identifier: Apache-2.0
// One limit for all small programs that probes start (modinfo, dkms, ldconfig, nvidia-smi, …). On a
// sick machine they hang one after another: the first may take its 5 s, each further one 1 s, and
// after 6 s no more are started. What hung or was left out is one line each. Every way in goes
// through inspect() (probe.h), which makes one of these. The child that asks the driver has a limit
// of its own (nvml_child.h), so a machine on which everything hangs takes 26 s at most.
#pragma once
#include <string>
#include <vector>

#include "host/forwarding_host.h"

namespace kernelfit {

class HelperLimit : public ForwardingHost {
 public:
  using ForwardingHost::ForwardingHost;

  // "dmesg did not answer in 5 s", "dkms was not asked: …"; one a program.
  const std::vector<std::string>& problems() const { return problems_; }

  Result<CommandResult> run(const Command& command) const override;

 private:
  void note(std::string_view program, const std::string& what) const;

  mutable std::chrono::milliseconds lost_{0};  // to programs that did not answer
  mutable std::vector<std::string> problems_;
};

}  // namespace kernelfit
