// SPDX-License-Identifier: Apache-2.0
// The functions of the table in probes.cc, one file each, in the order they run. Each fills what it
// learns and leaves the rest unknown; none fails, none prints.
#pragma once
#include "probe/probe.h"

namespace kernelfit {

void probe_system(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_variables(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_wsl(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_container(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_slurm(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_pci(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_jetson(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_module(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_device_nodes(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_secure_boot(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_nvml(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_windows(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_libcuda(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_container_gpu(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_kernel_log(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_driver_package(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_fabric_manager(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_toolkits(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_visible(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_local_torch(const Host& host, const ProbeOptions& options, Machine& machine);
void probe_environments(const Host& host, const ProbeOptions& options, Machine& machine);

}  // namespace kernelfit
