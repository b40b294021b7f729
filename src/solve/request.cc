// SPDX-License-Identifier: Apache-2.0
// From a machine to a question.
#include "solve/solve.h"

namespace kernelfit {
namespace {

// What reading its files said; empty where only a table speaks.
std::vector<GpuArch> archs_read(const Judgement& judgement, int environment,
                                std::string_view library) {
  for (const LibraryVerdict& verdict : judgement.verdicts) {
    if (verdict.environment == environment && verdict.library == library && verdict.basis == "file")
      return verdict.archs;
  }
  return {};
}

// The build belongs to the version: "2.13.0" and "cu126" are torch 2.13.0+cu126.
std::string whole_version(const Library& library) {
  if (library.version.find('+') != std::string::npos || !library.build.has())
    return library.version;
  return library.version + "+" + *library.build;
}

void add_installed(Request& request, const Environment& environment, const Judgement& judgement,
                   int index) {
  for (const Library& library : environment.libraries) {
    Installed installed;
    installed.name = library.name;
    installed.version = library.name == "torch" ? whole_version(library) : library.version;
    installed.archs = archs_read(judgement, index, library.name);
    request.installed.push_back(std::move(installed));
  }
  // cpuonly holds conda to CPU builds as long as it is there.
  for (const char* name : {"torch", "torchvision", "torchaudio", "cpuonly"}) {
    const Package* package = environment.package(name);
    if (package == nullptr || environment.library(name) != nullptr) continue;
    request.installed.push_back({name, package->version, {}});
  }
  const Package* torch = environment.package("torch");
  request.conda = torch != nullptr && torch->manager == "conda";
  if (request.conda) request.conda_channel = torch->channel;
}

}  // namespace

Request request_for(const Machine& machine, const Judgement& judgement, int environment) {
  Request request;
  request.cards = judgement.cards;
  request.no_gpu = machine.gpus.empty() && !machine.hypothetical;
  request.driver = machine.driver.version;
  request.os = machine.system.os.value_or("linux");
  request.os_name = machine.system.os_name.value_or("");
  request.cpu_arch = machine.system.cpu_arch.value_or("x86_64");
  request.glibc = machine.system.glibc;
  request.jetpack = machine.system.jetpack.value_or("");
  request.l4t = machine.system.l4t.value_or("");
  const auto index = static_cast<std::size_t>(environment);
  if (environment < 0 || index >= machine.environments.size()) return request;
  const Environment& found = machine.environments[index];
  request.python = found.python;
  request.free_threaded = found.free_threaded;
  add_installed(request, found, judgement, environment);
  return request;
}

}  // namespace kernelfit
