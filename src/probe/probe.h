// SPDX-License-Identifier: Apache-2.0
// Learns a machine. A probe is one file and one line in probes.cc; it cannot fail: what it could
// not learn is a fact that says why. Probes run in table order and may use facts found before them.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "machine/machine.h"
#include "nvidia/tegra.h"
#include "pyenv/gpu_packages.h"

namespace kernelfit {

struct ProbeOptions {
  std::vector<std::string> environments;  // --env: these too, wherever they are
  bool only_given_environments = false;   // --env was given
  bool read_binaries = true;              // false: table verdicts only
  bool complete_scans = true;  // false: only sections made for GPU code, what a recording keeps
  bool use_cache = true;       // false: --no-cache
  std::int64_t environment_budget_ms = 200;
  std::int64_t search_budget_ms = 600;  // for what lies outside those sections, on a slow disk
  // Rows of data/, handed in by whoever may read it: this room does not.
  GpuPackages packages;
  std::vector<JetpackRelease> jetpacks;
  std::vector<TegraChip> tegra_chips;
  std::function<std::string(const Gpu&)> chip_of;  // "GA102"; empty text: not known
};

struct Probe {
  std::string_view id;    // "nvidia-driver"
  std::string_view what;  // key of the message that says what it looks at
  void (*run)(const Host& host, const ProbeOptions& options, Machine& machine);
};

std::span<const Probe> probes();
// All probes, or those whose id is `wanted`. The programs that they start share one limit
// (helper_limit.h).
Machine inspect(const Host& host, const ProbeOptions& options = {},
                const std::function<bool(std::string_view id)>& wanted = {});

// What the hidden command `kernelfit __nvml` does in the child process: loads NVML and libcuda,
// where a crash or a hang costs only the child, and prints what they say, line by line
// (nvml_child.h).
void nvml_child_report(std::string_view what, const std::function<void(std::string_view)>& print);

}  // namespace kernelfit
