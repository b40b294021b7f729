// SPDX-License-Identifier: Apache-2.0
#include "judge/in_reach.h"

#include <algorithm>

namespace kernelfit {

bool is_hidden(const Machine& machine, int gpu) {
  const auto index = static_cast<std::size_t>(gpu);
  if (gpu < 0 || index >= machine.gpus.size()) return false;
  const Gpu& card = machine.gpus[index];
  const auto& bound = card.bound_driver;
  const bool is_others = machine.driver.module_loaded.is(true) && bound.has() && *bound != "nvidia";
  return card.visible.is(false) || is_others;
}

bool may_be_hidden(const Machine& machine, int gpu) {
  if (is_hidden(machine, gpu)) return true;
  const auto index = static_cast<std::size_t>(gpu);
  if (gpu < 0 || index >= machine.gpus.size() || !visible_unknown(machine)) return false;
  return machine.gpus[index].visible.is_unknown();
}

bool visible_unknown(const Machine& machine) {
  return machine.variables.cuda_visible_devices.has() &&
         std::any_of(machine.gpus.begin(), machine.gpus.end(),
                     [](const Gpu& gpu) { return gpu.visible.is_unknown(); });
}

bool cards_unknown(const Machine& machine) {
  const System& system = machine.system;
  const bool has_bus = !system.os.is("wsl") && !system.l4t.has();
  return machine.gpus.empty() && !machine.hypothetical && has_bus &&
         system.pci_devices.is_unknown();
}

}  // namespace kernelfit
