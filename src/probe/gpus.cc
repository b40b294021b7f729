// SPDX-License-Identifier: Apache-2.0
#include "probe/gpus.h"

#include <algorithm>
#include <limits>

namespace kernelfit {
namespace {

template <typename T, typename V>
void set(Fact<T>& fact, const V& value, const std::string& source) {
  if (!value.empty()) fact = Fact<T>::known(value, source);
}
template <typename T>
void set(Fact<T>& fact, const std::optional<T>& value, const std::string& source) {
  if (value) fact = Fact<T>::known(*value, source);
}

Gpu* find_gpu(Machine& machine, const SmiGpu& said) {
  for (Gpu& gpu : machine.gpus) {
    if (!said.pci_address.empty() && gpu.pci_address.is(said.pci_address)) return &gpu;
  }
  for (Gpu& gpu : machine.gpus) {
    if (!said.uuid.empty() && gpu.uuid.is(said.uuid)) return &gpu;
  }
  if (!said.pci_address.empty()) return nullptr;
  for (Gpu& gpu : machine.gpus) {
    if (gpu.pci_address.is_absent()) return &gpu;  // a Jetson's: it has no address
    if (gpu.index == said.index) return &gpu;
  }
  return nullptr;
}

void fill(Gpu& gpu, const SmiGpu& said, const std::string& source) {
  gpu.index = said.index;
  set(gpu.name, said.name, source);
  if (!gpu.pci_address.has()) set(gpu.pci_address, said.pci_address, source);
  if (!gpu.pci_id.has()) set(gpu.pci_id, said.pci_id, source);
  set(gpu.compute_capability, said.compute_capability, source);
  set(gpu.memory_mib, said.memory_mib, source);
  set(gpu.uuid, said.uuid, source);
  set(gpu.mig, said.mig, source);
  set(gpu.mig_instances, said.mig_instances, source);
  set(gpu.compute_mode, said.compute_mode, source);
  set(gpu.driver_model, said.driver_model, source);
  set(gpu.vgpu_license, said.vgpu_license, source);
  if (gpu.mig.is_unknown()) gpu.mig = Fact<bool>::absent(source);  // "N/A": the card has no MIG
}

}  // namespace

Gpu& gpu_at(Machine& machine, const std::string& address, const std::string& source) {
  for (Gpu& gpu : machine.gpus) {
    if (gpu.pci_address.is(address)) return gpu;
  }
  Gpu& gpu = machine.gpus.emplace_back();
  gpu.pci_address = Fact<std::string>::known(address, source);
  return gpu;
}

void merge_gpus(Machine& machine, const std::vector<SmiGpu>& gpus, const std::string& source) {
  for (const SmiGpu& said : gpus) {
    Gpu* gpu = find_gpu(machine, said);
    fill(gpu != nullptr ? *gpu : machine.gpus.emplace_back(), said, source);
    if (!said.trouble.empty()) {
      machine.problems.push_back(source + ", index " + std::to_string(said.index) + ": " +
                                 said.trouble);
    }
  }
  sort_gpus(machine);
}

void sort_gpus(Machine& machine) {
  auto rank = [](const Gpu& gpu) {
    return gpu.index < 0 ? std::numeric_limits<int>::max() : gpu.index;
  };
  std::ranges::stable_sort(machine.gpus, [&](const Gpu& a, const Gpu& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return a.pci_address.value_or("~") < b.pci_address.value_or("~");
  });
}

}  // namespace kernelfit
