// SPDX-License-Identifier: Apache-2.0
// The table. Order matters: a probe may use what those above it found.
#include "probe/probes.h"

#include <array>

#include "probe/helper_limit.h"

namespace kernelfit {
namespace {

constexpr std::array kProbes = {
    Probe{"system", "probe.system", probe_system},
    Probe{"variables", "probe.variables", probe_variables},
    Probe{"container", "probe.container", probe_container},
    Probe{"wsl", "probe.wsl", probe_wsl},
    Probe{"slurm", "probe.slurm", probe_slurm},
    Probe{"pci", "probe.pci", probe_pci},
    Probe{"jetson", "probe.jetson", probe_jetson},
    Probe{"module", "probe.module", probe_module},
    Probe{"device-nodes", "probe.device-nodes", probe_device_nodes},
    Probe{"secure-boot", "probe.secure-boot", probe_secure_boot},
    Probe{"nvml", "probe.nvml", probe_nvml},
    Probe{"windows", "probe.windows", probe_windows},
    Probe{"libcuda", "probe.libcuda", probe_libcuda},
    Probe{"container-gpu", "probe.container-gpu", probe_container_gpu},
    Probe{"kernel-log", "probe.kernel-log", probe_kernel_log},
    Probe{"driver-package", "probe.driver-package", probe_driver_package},
    Probe{"fabric-manager", "probe.fabric-manager", probe_fabric_manager},
    Probe{"toolkits", "probe.toolkits", probe_toolkits},
    Probe{"visible", "probe.visible", probe_visible},
    Probe{"local-torch", "probe.local-torch", probe_local_torch},
    Probe{"environments", "probe.environments", probe_environments},
};

}  // namespace

std::span<const Probe> probes() {
  return kProbes;
}

Machine inspect(const Host& host, const ProbeOptions& options,
                const std::function<bool(std::string_view id)>& wanted) {
  Machine machine;
  HelperLimit limited(host);
  for (const Probe& probe : kProbes) {
    if (!wanted || wanted(probe.id)) probe.run(limited, options, machine);
  }
  const auto& hung = limited.problems();
  machine.problems.insert(machine.problems.end(), hung.begin(), hung.end());
  return machine;
}

}  // namespace kernelfit
