// SPDX-License-Identifier: Apache-2.0
// Learns a machine. A probe is one file and one line in probes.cc; it cannot fail: what it could
// not learn is a fact that says why. Probes run in table order and may use facts found before them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "machine/machine.h"

namespace kernelfit {

struct ProbeOptions {
  std::vector<std::string> environments;  // --env: these too, wherever they are
  bool only_given_environments = false;   // --env was given
  bool read_binaries = true;              // false: table verdicts only
  std::int64_t environment_budget_ms = 200;
};

struct Probe {
  std::string_view id;    // "nvidia-driver"
  std::string_view what;  // key of the message that says what it looks at
  void (*run)(const Host& host, const ProbeOptions& options, Machine& machine);
};

std::span<const Probe> probes();
Machine inspect(const Host& host, const ProbeOptions& options = {});

// What the hidden command `kernelfit __nvml` prints in the child process: one JSON object.
// NVML and libcuda are loaded there, so that a crash or a hang costs only the child.
std::string nvml_child_report(std::string_view what);

}  // namespace kernelfit
