// SPDX-License-Identifier: Apache-2.0
// Which cards CUDA programs see: CUDA C++ Programming Guide, "CUDA Environment Variables".
//
//   CUDA_VISIBLE_DEVICES=1,0        indices; the first invalid one ends the list
//   CUDA_VISIBLE_DEVICES=GPU-8932f937,MIG-GPU-…/1/0   UUIDs, or their beginning where it is unique
//   CUDA_VISIBLE_DEVICES=           nothing is visible, and so is -1
//
// Indices count in CUDA's order: the fastest card first, unless CUDA_DEVICE_ORDER=PCI_BUS_ID. CUDA
// does not tell how it measures; faster_order.h says where there is no doubt.
#include <algorithm>

#include "probe/faster_order.h"
#include "probe/mig_uuids.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr const char* kVariable = "CUDA_VISIBLE_DEVICES";

void set_all(std::vector<Gpu>& gpus, bool visible, const std::string& source) {
  for (Gpu& gpu : gpus) gpu.visible = Fact<bool>::known(visible, source);
}

// A card that another kernel driver holds (nouveau for the screen, vfio-pci for a guest), or that
// the NVIDIA driver beside it leaves out, is none that CUDA counts.
bool is_counted(const Gpu& gpu, const Machine& machine) {
  if (gpu.index >= 0) return true;
  const bool another = std::ranges::any_of(machine.gpus, [](const Gpu& g) { return g.index >= 0; });
  return !another || gpu.bound_driver.is("nvidia");
}

// The cards that CUDA counts, in bus order.
std::vector<Gpu*> counted(Machine& machine) {
  std::vector<Gpu*> out;
  for (Gpu& gpu : machine.gpus) {
    if (is_counted(gpu, machine)) out.push_back(&gpu);
  }
  std::ranges::stable_sort(out, {}, [](const Gpu* gpu) { return gpu->pci_address.value_or(""); });
  return out;
}

// In CUDA's order, as far as it is certain: `known` of them.
struct Order {
  std::vector<Gpu*> gpus;
  std::size_t known = 0;
};
Order order_of(Machine& machine, const ProbeOptions& options) {
  Order out{counted(machine), 0};
  out.known = out.gpus.size();
  if (machine.variables.cuda_device_order.is("PCI_BUS_ID")) return out;
  out.known = sort_by_speed(out.gpus, options.chip_of);
  return out;
}

// The card whose UUID starts with `text`; nullptr where none does, or more than one.
Gpu* find_by_uuid(const std::vector<Gpu*>& gpus, std::string_view text) {
  // "MIG-GPU-<uuid>/1/0" is an instance of that card.
  if (text.starts_with("MIG-GPU-")) text = text.substr(4, text.find('/') - 4);
  Gpu* found = nullptr;
  for (Gpu* gpu : gpus) {
    if (!gpu->uuid.has() || !gpu->uuid->starts_with(text)) continue;
    if (found != nullptr) return nullptr;
    found = gpu;
  }
  return found;
}

// "MIG-<uuid>", since R470, does not tell its card: what the driver lists does.
struct MigCard {
  Gpu* gpu = nullptr;
  bool uncertain = false;  // the driver's list is not known
};
MigCard find_by_mig(const std::vector<Gpu*>& gpus, std::string_view text, const MigUuids& listed) {
  for (const auto& [index, uuid] : listed.uuids) {
    if (!uuid.starts_with(text)) continue;
    const auto card = std::ranges::find(gpus, index, [](const Gpu* gpu) { return gpu->index; });
    if (card != gpus.end()) return {*card, false};
  }
  if (!listed.uuids.empty()) return {};
  auto is_mig = [](const Gpu* gpu) { return gpu->mig.is(true); };
  auto found = std::ranges::find_if(gpus, is_mig);
  if (std::ranges::count_if(gpus, is_mig) != 1) return {nullptr, true};
  if ((*found)->mig_instances.is(0)) return {};  // there is none that could be meant
  return {*found, false};
}

struct Selection {
  std::vector<Gpu*> gpus;
  bool uncertain = false;  // names a card that could not be told
};

// "1abc" is read as 1, as atoi does in the driver.
std::optional<std::int64_t> leading_int(std::string_view text) {
  return parse_int(text.substr(0, text.find_first_not_of("0123456789")));
}

// An index is certain within the part of the order that is; beyond it some card is meant, and
// where all of them are named it does not matter which.
Selection select(const Order& order, std::string_view value, const MigUuids& listed) {
  Selection out;
  const std::vector<Gpu*>& gpus = order.gpus;
  for (std::string_view part : split(value, ',')) {
    part = trim(part);
    Gpu* gpu = nullptr;
    if (part.starts_with("MIG-") && !part.starts_with("MIG-GPU-")) {
      const MigCard mig = find_by_mig(gpus, part, listed);
      gpu = mig.gpu;
      out.uncertain = out.uncertain || mig.uncertain;
    } else if (part.starts_with("GPU-") || part.starts_with("MIG-")) {
      gpu = find_by_uuid(gpus, part);
      bool uuids_known = std::ranges::all_of(gpus, [](const Gpu* g) { return g->uuid.has(); });
      if (gpu == nullptr && (!uuids_known || part.starts_with("MIG-"))) out.uncertain = true;
    } else if (std::optional<std::int64_t> index = leading_int(part)) {
      const auto place = static_cast<std::size_t>(*index);
      if (place < gpus.size()) gpu = gpus[place];
      if (place >= order.known && gpu != nullptr) out.uncertain = true;
    }
    // An invalid entry ends the list; a card named twice is an error, and nothing is visible.
    if (gpu == nullptr) break;
    if (std::ranges::find(out.gpus, gpu) != out.gpus.end() && !gpu->mig.is(true)) return {};
    out.gpus.push_back(gpu);
  }
  if (out.gpus.size() == gpus.size()) out.uncertain = false;
  return out;
}

// A card that no driver holds is neither hidden nor shown by the variable.
void set_uncounted(Machine& machine, const std::string& source) {
  for (Gpu& gpu : machine.gpus) {
    if (is_counted(gpu, machine)) continue;
    gpu.visible = gpu.bound_driver.has() ? Fact<bool>::known(false, source)
                                         : Fact<bool>::absent("the driver does not list it");
  }
}

void set_visible(Machine& machine, const Selection& selection, const std::string& source) {
  set_all(machine.gpus, false, source);
  for (Gpu* gpu : selection.gpus) gpu->visible = Fact<bool>::known(true, source);
  if (!selection.uncertain) return;
  for (Gpu& gpu : machine.gpus)
    gpu.visible = Fact<bool>::unknown("CUDA's order of these cards is not known", source);
}

}  // namespace

void probe_visible(const Host& host, const ProbeOptions& options, Machine& machine) {
  if (machine.gpus.empty()) return;
  const Fact<std::string>& variable = machine.variables.cuda_visible_devices;
  if (!variable.has()) return set_all(machine.gpus, true, std::string(kVariable) + " is not set");
  const std::string source = std::string(kVariable) + "=" + *variable;
  const MigUuids listed = contains(*variable, "MIG-") ? mig_uuids(host) : MigUuids{};
  const Selection selection = select(order_of(machine, options), trim(*variable), listed);
  set_visible(machine, selection, source);
  set_uncounted(machine, source);
}

}  // namespace kernelfit
