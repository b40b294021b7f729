// SPDX-License-Identifier: Apache-2.0
#include "cli/what_if.h"

#include <algorithm>

#include "cli/probe_tables.h"
#include "judge/card.h"
#include "judge/default_build.h"

namespace kernelfit::cli {
namespace {

// Only what belongs to the card itself: how it is bound and which mode it is in is about the
// machine that was found.
Gpu card_alone(const Gpu& found) {
  Gpu gpu;
  gpu.index = found.index;
  gpu.name = found.name;
  gpu.pci_id = found.pci_id;
  gpu.pci_address = found.pci_address;
  gpu.compute_capability = found.compute_capability;
  gpu.memory_mib = found.memory_mib;
  return gpu;
}

void replace_package(Environment& environment, const Library& given) {
  auto same = [&](const auto& one) { return one.name == given.name; };
  std::erase_if(environment.packages, same);
  std::erase_if(environment.libraries, same);
  Package package;
  package.name = given.name;
  package.version = given.version;
  package.metadata = "given";
  auto at = std::find_if(environment.packages.begin(), environment.packages.end(),
                         [&](const auto& other) { return other.name > given.name; });
  environment.packages.insert(at, std::move(package));
  bool first = given.name == "torch";
  environment.libraries.insert(first ? environment.libraries.begin() : environment.libraries.end(),
                               given);
}

// The environment that --python and --installed speak of: the first, or a new one.
Environment& given_environment(Machine& machine) {
  if (machine.environments.empty()) {
    Environment environment;
    environment.kind = "given";
    environment.active = true;
    machine.environments.push_back(std::move(environment));
  }
  return machine.environments.front();
}

void apply_driver(Machine& machine, const WhatIf& what_if) {
  if (!what_if.driver && !what_if.no_driver) return;
  machine.driver = {};
  machine.kernel_events.clear();
  machine.driver.version = what_if.driver ? Fact<DottedVersion>::given(*what_if.driver)
                                          : Fact<DottedVersion>::absent("given");
}

void apply_system(Machine& machine, const WhatIf& what_if) {
  System& system = machine.system;
  if (!what_if.os.empty()) system.os = Fact<std::string>::given(what_if.os);
  if (!what_if.cpu_arch.empty()) system.cpu_arch = Fact<std::string>::given(what_if.cpu_arch);
  if (what_if.glibc) system.glibc = Fact<DottedVersion>::given(*what_if.glibc);
  if (what_if.jetpack.empty()) return;
  if (what_if.os.empty()) system.os = Fact<std::string>::given("linux");
  if (what_if.cpu_arch.empty()) system.cpu_arch = Fact<std::string>::given("aarch64");
  system.jetpack = Fact<std::string>::given(what_if.jetpack);
  if (!what_if.l4t.empty()) system.l4t = Fact<std::string>::given(what_if.l4t);
  if (!what_if.jetpack_cuda.empty()) {
    machine.driver.cuda_max = Fact<DottedVersion>::given(what_if.jetpack_cuda);
  }
}

// An environment that was named has the Python that it has: environment_problem says so.
bool other_python(const Environment& environment, const WhatIf& what_if) {
  const auto& found = environment.python;
  return what_if.python && found.state() == FactState::known &&
         (found->first(2) != what_if.python->first(2) ||
          environment.free_threaded != what_if.free_threaded);
}

void apply_environment(Machine& machine, const WhatIf& what_if) {
  if (what_if.cuda) {
    Toolkit toolkit;
    toolkit.version = Fact<DottedVersion>::given(*what_if.cuda);
    toolkit.is_cuda_home = true;
    machine.toolkits = {toolkit};
  }
  if (!what_if.python && what_if.installed.empty()) return;
  Environment& environment = given_environment(machine);
  if (what_if.python && !other_python(environment, what_if)) {
    environment.python = Fact<DottedVersion>::given(*what_if.python);
    environment.free_threaded = what_if.free_threaded;
  }
  for (const auto& library : what_if.installed) replace_package(environment, library);
}

// Another machine: of what was found only the cards, the system's kind and its CPU take part, and
// the environments that were asked for by path.
Machine another_machine(Machine found, const WhatIf& what_if) {
  Machine machine;
  machine.hypothetical = true;
  machine.system.os = found.system.os;
  machine.system.cpu_arch = found.system.cpu_arch;
  bool about_cards = what_if.gpus.empty() && what_if.jetpack.empty();
  if (about_cards) {
    for (const auto& gpu : found.gpus) machine.gpus.push_back(card_alone(gpu));
  }
  if (!what_if.environments.empty()) machine.environments = std::move(found.environments);
  return machine;
}

// The probes that a question about another machine needs.
bool needs_probe(std::string_view id, const WhatIf& what_if) {
  if (id == "system" || id == "wsl") return what_if.os.empty() || what_if.cpu_arch.empty();
  if (id == "environments") return !what_if.environments.empty();
  return is_card_probe(id) && what_if.gpus.empty() && what_if.jetpack.empty();
}

// ---------------------------------------------------------------- --env

// A folder of `pip install --target` has no Python, only what was installed.
bool holds_packages(const std::string& folder, const Host& host) {
  auto entries = host.list_dir(folder);
  return entries && std::any_of(entries->begin(), entries->end(), [](const DirEntry& entry) {
           return entry.name.ends_with(".dist-info") || entry.name.ends_with(".egg-info");
         });
}

// An environment is named by its folder, its python, or a folder of its packages.
bool is_inside(std::string_view path, std::string_view prefix) {
  if (prefix.size() < 2 || !path.starts_with(prefix) || path.size() <= prefix.size()) return false;
  const char separator = path[prefix.size()];
  if (separator != '/' && separator != '\\') return false;
  const std::string_view rest = path.substr(prefix.size() + 1);
  const std::string first = lower(rest.substr(0, rest.find_first_of("/\\")));
  return first == "lib" || first == "lib64" || first == "local" || first == "bin" ||
         first == "scripts";
}

bool is_environment(const std::string& given, const Machine& machine, const Host& host) {
  const std::string real = host.real_path(given).value_or(given);
  const std::string_view name = base_name(given);
  if (!host.is_dir(given)) return name.starts_with("py") && !name.ends_with(".py");
  return std::any_of(
      machine.environments.begin(), machine.environments.end(), [&](const auto& one) {
        const bool bare = one.kind == "given" && !one.python.has();
        if (bare) return one.path == given && holds_packages(given, host);
        return one.path == given || host.real_path(one.path).value_or(one.path) == real ||
               is_inside(given, one.path);
      });
}

}  // namespace

std::optional<Said> environment_problem(const WhatIf& what_if, const Machine& machine,
                                        const Host& host) {
  for (const auto& given : what_if.environments) {
    if (!host.exists(given)) return Said{"cli.error.env-missing", {{"path", given}}};
    const auto& said = machine.problems;
    const bool refused =
        std::find(said.begin(), said.end(), given + ": not a Python environment") != said.end();
    if (refused || !is_environment(given, machine, host)) {
      return Said{"cli.error.env", {{"path", given}}};
    }
  }
  if (what_if.environments.empty()) return {};
  for (const auto& one : machine.environments) {
    if (!other_python(one, what_if)) continue;
    const std::string python = one.python->text() + (one.free_threaded ? "t" : "");
    return Said{"cli.error.env-python",
                {{"path", one.path},
                 {"found", python},
                 {"python", what_if.python->text() + (what_if.free_threaded ? "t" : "")}}};
  }
  return {};
}

std::optional<Said> arm_note(const WhatIf& what_if) {
  if (what_if.arm_card.empty()) return {};
  const bool against = what_if.cpu_arch == "x86_64";
  return Said{against ? "cli.note.arm-against" : "cli.note.arm", {{"gpu", what_if.arm_card}}};
}

Machine apply_what_if(Machine found, const WhatIf& what_if) {
  Machine machine =
      what_if.hypothetical() ? another_machine(std::move(found), what_if) : std::move(found);
  if (!what_if.gpus.empty()) machine.gpus = what_if.gpus;
  apply_driver(machine, what_if);
  apply_system(machine, what_if);
  apply_environment(machine, what_if);
  return machine;
}

Machine machine_for(const WhatIf& what_if, const Context& context) {
  if (context.pasted != nullptr) return apply_what_if(*context.pasted, what_if);
  ProbeOptions options = probe_options(what_if.environments, context.knowledge);
  options.use_cache = what_if.use_cache;
  auto wanted = [&](std::string_view id) { return needs_probe(id, what_if); };
  Machine machine = apply_what_if(what_if.hypothetical() ? inspect(context.host, options, wanted)
                                                         : inspect(context.host, options),
                                  what_if);
  name_default_builds(machine, context.knowledge);
  return machine;
}

}  // namespace kernelfit::cli
