// SPDX-License-Identifier: Apache-2.0
// A Slurm job sees only the GPUs that it asked for (slurm.schedmd.com/gres.html).
#include "base/text.h"
#include "probe/probes.h"

namespace kernelfit {

void probe_slurm(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  std::optional<std::string> job = host.env("SLURM_JOB_ID");
  if (!job) {
    system.slurm_job = Fact<std::string>::absent("SLURM_JOB_ID");
    system.slurm_gpus = Fact<std::string>::absent("not in a Slurm job");
    return;
  }
  system.slurm_job = Fact<std::string>::known(printable(*job), "SLURM_JOB_ID");
  for (std::string_view name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "SLURM_GPUS_ON_NODE",
                                "SLURM_GPUS", "GPU_DEVICE_ORDINAL"}) {
    std::optional<std::string> value = host.env(name);
    if (!value || value->empty()) continue;
    system.slurm_gpus = Fact<std::string>::known(printable(*value), std::string(name));
    return;
  }
  system.slurm_gpus =
      Fact<std::string>::absent("SLURM_STEP_GPUS, SLURM_JOB_GPUS, SLURM_GPUS_ON_NODE");
}

}  // namespace kernelfit
