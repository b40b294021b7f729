// SPDX-License-Identifier: Apache-2.0
#include "report/plan_command.h"

namespace kernelfit::report {
namespace {

void add(std::string& out, std::string_view flag, const std::string& value) {
  out += " --" + std::string(flag) + " " + shell_quote(value);
}

template <typename T>
void add_given(std::string& out, std::string_view flag, const Fact<T>& fact) {
  if (fact.state() == FactState::given) add(out, flag, kernelfit::text_of(fact.value()));
}

std::string gpu_argument(const Gpu& gpu, const Card& card) {
  if (gpu.pci_id.has()) return gpu.pci_id->text();
  if (gpu.name.has()) return *gpu.name;
  if (card.capability.has()) return card.capability->text();
  return card.label;
}

void add_system(std::string& out, const Machine& machine) {
  const bool no_driver =
      machine.driver.version.is_absent() && machine.driver.version.source() == "given";
  if (no_driver) add(out, "driver", "none");
  add_given(out, "driver", machine.driver.version);
  add_given(out, "jetpack", machine.system.jetpack);
  if (!machine.system.jetpack.has()) {
    add_given(out, "os", machine.system.os);
    add_given(out, "cpu-arch", machine.system.cpu_arch);
  }
  add_given(out, "glibc", machine.system.glibc);
}

void add_environment(std::string& out, const Environment& environment) {
  if (!environment.path.empty()) add(out, "env", environment.path);
  if (environment.python.state() == FactState::given) {
    add(out, "python", environment.python->text() + (environment.free_threaded ? "t" : ""));
  }
  for (const auto& package : environment.packages) {
    if (package.metadata == "given") add(out, "installed", package.name + "==" + package.version);
  }
}

}  // namespace

std::string plan_command(const Situation& situation, int environment) {
  const Machine& machine = situation.machine;
  std::string out = "kernelfit plan";
  for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
    if (!machine.gpus[i].given) continue;
    add(out, "gpu", gpu_argument(machine.gpus[i], situation.judgement.cards[i]));
  }
  add_system(out, machine);
  const auto index = static_cast<std::size_t>(environment);
  if (environment >= 0 && index < machine.environments.size()) {
    add_environment(out, machine.environments[index]);
  }
  return out;
}

}  // namespace kernelfit::report
