// SPDX-License-Identifier: Apache-2.0
// From a machine to a question.
#include "judge/default_build.h"
#include "judge/in_reach.h"
#include "solve/solve.h"

namespace kernelfit {
namespace {

// What reading its files said; of torch's pairs, which come as the table has them, where that
// leaves the card out too. Empty where only a table speaks.
std::vector<GpuArch> archs_read(const Judgement& judgement, int environment,
                                std::string_view library) {
  for (const LibraryVerdict& verdict : judgement.verdicts) {
    if (verdict.environment != environment || verdict.library != library) continue;
    const bool is_pair = library == "torchvision" || library == "torchaudio";
    if (verdict.basis == "file" || (is_pair && verdict.verdict == Verdict::no_code))
      return verdict.archs;
  }
  return {};
}

// The build belongs to the version: "2.13.0" and "cu126" are torch 2.13.0+cu126. A Jetson's "2.8.0"
// with CUDA 12.6 is none of the indexes' builds, which all name theirs; PyPI's default stays bare.
std::string whole_version(const Library& library, const Machine& machine) {
  if (library.version.find('+') != std::string::npos || !library.build.has())
    return library.version;
  if (is_default_build(library)) return library.version;
  if (machine.system.l4t.has() && library.build->starts_with("cu")) return library.version;
  return library.version + "+" + *library.build;
}

void add_installed(Request& request, const Machine& machine, const Judgement& judgement,
                   int index) {
  const Environment& environment = machine.environments[static_cast<std::size_t>(index)];
  for (const Library& library : environment.libraries) {
    Installed installed;
    installed.name = library.name;
    installed.version = library.name == "torch" ? whole_version(library, machine) : library.version;
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

// A card that no program sees is none that torch has to run on; where that is all of them, the
// question is about the machine.
std::vector<Card> cards_to_serve(const Machine& machine, const Judgement& judgement) {
  std::vector<Card> out;
  for (std::size_t i = 0; i < judgement.cards.size(); ++i) {
    if (!is_hidden(machine, static_cast<int>(i))) out.push_back(judgement.cards[i]);
  }
  return out.empty() ? judgement.cards : out;
}

}  // namespace

Request request_for(const Machine& machine, const Judgement& judgement, int environment) {
  Request request;
  request.cards = cards_to_serve(machine, judgement);
  request.no_gpu = machine.gpus.empty() && !machine.hypothetical;
  request.driver = machine.driver.version;
  request.os = machine.system.os.value_or("linux");
  request.os_name = machine.system.os_name.value_or("");
  request.cpu_arch = machine.system.cpu_arch.value_or("x86_64");
  // Absent on Windows as on musl; only there does that keep wheels out.
  if (request.os != "windows") request.glibc = machine.system.glibc;
  request.jetpack = machine.system.jetpack.value_or("");
  request.l4t = machine.system.l4t.value_or("");
  // A text that tells of a Python asks about that one, whether or not it names a torch.
  const bool told = environment < 0 && machine.pasted && machine.environments.size() == 1;
  if (told) {
    request.python = machine.environments.front().python;
    request.free_threaded = machine.environments.front().free_threaded;
  }
  const auto index = static_cast<std::size_t>(environment);
  if (environment < 0 || index >= machine.environments.size()) return request;
  const Environment& found = machine.environments[index];
  request.python = found.python;
  request.free_threaded = found.free_threaded;
  add_installed(request, machine, judgement, environment);
  return request;
}

}  // namespace kernelfit
