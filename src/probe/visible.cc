// SPDX-License-Identifier: Apache-2.0
// Which cards CUDA programs see: CUDA C++ Programming Guide, "CUDA Environment Variables".
//
//   CUDA_VISIBLE_DEVICES=1,0        indices; the first invalid one ends the list
//   CUDA_VISIBLE_DEVICES=GPU-8932f937,MIG-GPU-…/1/0   UUIDs, or their beginning where it is unique
//   CUDA_VISIBLE_DEVICES=           nothing is visible, and so is -1
//
// Indices count in CUDA's order: the fastest card first, unless CUDA_DEVICE_ORDER=PCI_BUS_ID.
#include <algorithm>

#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr const char* kVariable = "CUDA_VISIBLE_DEVICES";

void set_all(std::vector<Gpu>& gpus, bool visible, const std::string& source) {
  for (Gpu& gpu : gpus) gpu.visible = Fact<bool>::known(visible, source);
}

// Cards of one kind are in bus order whatever the rule; of different ones CUDA's guess is not
// known.
bool order_is_known(const Machine& machine) {
  if (machine.variables.cuda_device_order.is("PCI_BUS_ID")) return true;
  return std::ranges::all_of(machine.gpus, [&](const Gpu& gpu) {
    return gpu.name.has() && gpu.name.is(machine.gpus.front().name.value_or(""));
  });
}

// The cards that CUDA counts, in bus order.
std::vector<Gpu*> counted(Machine& machine) {
  std::vector<Gpu*> out;
  for (Gpu& gpu : machine.gpus) out.push_back(&gpu);
  std::ranges::stable_sort(out, {}, [](const Gpu* gpu) { return gpu->pci_address.value_or(""); });
  return out;
}

// The card whose UUID starts with `text`; nullptr where none does, or more than one.
Gpu* find_by_uuid(const std::vector<Gpu*>& gpus, std::string_view text) {
  // "MIG-GPU-<uuid>/1/0" is an instance of that card; "MIG-<uuid>" since R470 does not tell its
  // card.
  if (text.starts_with("MIG-GPU-")) text = text.substr(4, text.find('/') - 4);
  if (text.starts_with("MIG-")) {
    auto is_mig = [](const Gpu* gpu) { return gpu->mig.is(true); };
    auto found = std::ranges::find_if(gpus, is_mig);
    return std::ranges::count_if(gpus, is_mig) == 1 ? *found : nullptr;
  }
  Gpu* found = nullptr;
  for (Gpu* gpu : gpus) {
    if (!gpu->uuid.has() || !gpu->uuid->starts_with(text)) continue;
    if (found != nullptr) return nullptr;
    found = gpu;
  }
  return found;
}

struct Selection {
  std::vector<Gpu*> gpus;
  bool by_index = false;
  bool uncertain = false;  // names a card that could not be told
};

// "1abc" is read as 1, as atoi does in the driver.
std::optional<std::int64_t> leading_int(std::string_view text) {
  return parse_int(text.substr(0, text.find_first_not_of("0123456789")));
}

Selection select(const std::vector<Gpu*>& gpus, std::string_view value) {
  Selection out;
  for (std::string_view part : split(value, ',')) {
    part = trim(part);
    Gpu* gpu = nullptr;
    if (part.starts_with("GPU-") || part.starts_with("MIG-")) {
      gpu = find_by_uuid(gpus, part);
      bool uuids_known = std::ranges::all_of(gpus, [](const Gpu* g) { return g->uuid.has(); });
      if (gpu == nullptr && (!uuids_known || part.starts_with("MIG-"))) out.uncertain = true;
    } else if (std::optional<std::int64_t> index = leading_int(part)) {
      out.by_index = true;
      if (*index < static_cast<std::int64_t>(gpus.size()))
        gpu = gpus[static_cast<std::size_t>(*index)];
    }
    // An invalid entry ends the list; a card named twice is an error, and nothing is visible.
    if (gpu == nullptr) break;
    if (std::ranges::find(out.gpus, gpu) != out.gpus.end() && !gpu->mig.is(true)) return {};
    out.gpus.push_back(gpu);
  }
  return out;
}

}  // namespace

void probe_visible(const Host&, const ProbeOptions&, Machine& machine) {
  if (machine.gpus.empty()) return;
  const Fact<std::string>& variable = machine.variables.cuda_visible_devices;
  if (!variable.has()) return set_all(machine.gpus, true, std::string(kVariable) + " is not set");
  std::vector<Gpu*> gpus = counted(machine);
  Selection selection = select(gpus, trim(*variable));
  const std::string source = std::string(kVariable) + "=" + *variable;
  bool some_of_several =
      selection.by_index && !selection.gpus.empty() && selection.gpus.size() < gpus.size();
  if (selection.uncertain || (some_of_several && !order_is_known(machine))) {
    for (Gpu& gpu : machine.gpus) {
      gpu.visible = Fact<bool>::unknown("CUDA's order of these cards is not known", source);
    }
    return;
  }
  set_all(machine.gpus, false, source);
  for (Gpu* gpu : selection.gpus) gpu->visible = Fact<bool>::known(true, source);
}

}  // namespace kernelfit
