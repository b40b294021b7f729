// SPDX-License-Identifier: Apache-2.0
// What the environment of the process says about CUDA and Python.
#include "base/text.h"
#include "probe/probes.h"

namespace kernelfit {
namespace {

Fact<std::string> variable(const Host& host, std::string_view name) {
  if (auto value = host.env(name)) {
    return Fact<std::string>::known(printable(*value), std::string(name));
  }
  return Fact<std::string>::absent(std::string(name));
}

}  // namespace

void probe_variables(const Host& host, const ProbeOptions&, Machine& machine) {
  Variables& variables = machine.variables;
  variables.cuda_visible_devices = variable(host, "CUDA_VISIBLE_DEVICES");
  variables.nvidia_visible_devices = variable(host, "NVIDIA_VISIBLE_DEVICES");
  variables.cuda_home = variable(host, "CUDA_HOME");
  if (!variables.cuda_home.has()) variables.cuda_home = variable(host, "CUDA_PATH");
  variables.ld_library_path = variable(host, "LD_LIBRARY_PATH");
  variables.ld_preload = variable(host, "LD_PRELOAD");
  variables.cuda_device_order = variable(host, "CUDA_DEVICE_ORDER");
  variables.pythonpath = variable(host, "PYTHONPATH");
  variables.virtual_env = variable(host, "VIRTUAL_ENV");
  variables.conda_prefix = variable(host, "CONDA_PREFIX");
}

}  // namespace kernelfit
