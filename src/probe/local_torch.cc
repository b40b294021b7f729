// SPDX-License-Identifier: Apache-2.0
// Python looks into the current folder and PYTHONPATH before its own: a folder torch there is what
// `import torch` takes.
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// A package, not any folder: one without __init__.py loses against the installed torch. Sources
// that were built in place hold their libraries, and are the torch that is meant.
std::string torch_in(const Host& host, std::string_view folder) {
  std::string module = join_path(folder, "torch.py");
  if (host.exists(module)) return module;
  std::string package = join_path(folder, "torch");
  if (!host.exists(join_path(package, "__init__.py"))) return {};
  std::string libraries = join_path(package, "lib");
  bool built = host.exists(join_path(libraries, "libtorch.so")) ||
               host.exists(join_path(libraries, "libtorch_cpu.so")) ||
               host.exists(join_path(libraries, "torch_cpu.dll"));
  return built ? std::string() : package;
}

}  // namespace

void probe_local_torch(const Host& host, const ProbeOptions&, Machine& machine) {
  std::vector<std::string> folders = {host.current_dir()};
  if (machine.variables.pythonpath.has()) {
    char separator = is_windows(machine) ? ';' : ':';
    for (auto part : split(*machine.variables.pythonpath, separator)) folders.emplace_back(part);
  }
  for (const auto& folder : folders) {
    if (folder.empty() || folder.ends_with("-packages")) continue;
    std::string found = torch_in(host, folder);
    if (found.empty()) continue;
    machine.system.local_torch = Fact<std::string>::known(found, folder);
    return;
  }
  machine.system.local_torch = Fact<std::string>::absent(host.current_dir());
}

}  // namespace kernelfit
