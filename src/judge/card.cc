// SPDX-License-Identifier: Apache-2.0
#include "judge/card.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "judge/first_branch.h"
#include "judge/names.h"
#include "knowledge/probe_rows.h"

namespace kernelfit {
namespace {

constexpr int kNvidia = 0x10de;

// The row of a device id: its own subsystem, else the device alone, else any of its subsystems
// (no id maps to two capabilities: a law of the table).
const PciRow* pci_row(const PciId& id, const Knowledge& knowledge) {
  const auto& rows = knowledge.pci_rows();
  PciRow wanted;
  wanted.device = id.device;
  auto [first, last] =
      std::equal_range(rows.begin(), rows.end(), wanted,
                       [](const PciRow& a, const PciRow& b) { return a.device < b.device; });
  const PciRow* any = nullptr;
  const PciRow* plain = nullptr;
  for (auto row = first; row != last; ++row) {
    if (row->subvendor == id.subvendor && row->subdevice == id.subdevice) return &*row;
    if (row->subvendor == 0 && plain == nullptr) plain = &*row;
    any = &*row;
  }
  return plain != nullptr ? plain : any;
}

bool has_device(const GpuProduct& product, int device) {
  char hex[8];
  std::snprintf(hex, sizeof hex, "%04X", static_cast<unsigned>(device) & 0xffffu);
  for (auto id : split_words(product.pci_ids)) {
    if (id.substr(0, 4) == hex) return true;  // "2E12:10DE:21EC" names a subsystem as well
  }
  return false;
}

// The product row of a PCI row: it names the id, and its name where several do.
const GpuProduct* product_of(const PciRow& row, int device, const Knowledge& knowledge) {
  const GpuProduct* found = nullptr;
  for (const auto& product : knowledge.products()) {
    if (product.capability != row.capability || !has_device(product, device)) continue;
    if (found == nullptr || contains(row.name, product.name)) found = &product;
  }
  return found;
}

// cuda/driver_last.csv: products whose drivers end before those of their chip.
void set_last_on_windows(Card& card, const Knowledge& knowledge) {
  const Csv& table = knowledge.table("cuda/driver_last.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto low = ComputeCapability::parse(table.cell(row, "cc_min"));
    const auto high = ComputeCapability::parse(table.cell(row, "cc_max"));
    const auto branch = parse_int(table.cell(row, "last_branch"));
    const auto driver = DottedVersion::parse(table.cell(row, "last_driver"));
    if (!low || !high || !branch || !driver || table.cell(row, "os") != "windows") continue;
    if (table.cell(row, "form") != card.form) continue;
    if (*card.capability < *low || *card.capability > *high) continue;
    card.last_branch_windows = static_cast<int>(*branch);
    card.last_driver_windows = *driver;
  }
}

void set_branches(Card& card, std::string_view last_by_product, const Knowledge& knowledge) {
  if (!card.capability.has() || card.tegra) return;
  auto capability = *card.capability;
  const auto& branches = knowledge.driver_branches();
  card.first_branch = first_branch_of(capability, knowledge).branch;
  for (const auto& branch : branches) {
    if (names(branch, capability)) card.last_branch = branch.branch;
  }
  card.branch_known = card.first_branch != 0;
  if (!branches.empty() && card.last_branch == branches.back().branch) card.last_branch = 0;
  if (auto given = parse_int(last_by_product)) card.last_branch = static_cast<int>(*given);
  set_last_on_windows(card, knowledge);
}

void add_product(Card& card, const GpuProduct& product) {
  card.chip = product.chip;
  card.architecture = product.architecture;
  card.form = product.form;
  for (auto id : split_words(product.pci_ids)) card.pci_ids.push_back("10de:" + lower(id));
}

Card card_of(const GpuProduct& product, std::string source, const Knowledge& knowledge) {
  Card card;
  card.label = product.name;
  card.capability = Fact<ComputeCapability>::known(product.capability, std::move(source));
  card.tegra = is_tegra(product.capability);
  add_product(card, product);
  set_branches(card, product.last_driver_branch, knowledge);
  return card;
}

std::string name_source(std::string_view name) {
  return "table: name " + std::string(name);
}

// One variant per chip capability, the oldest first.
std::vector<Card> variants_of(const std::vector<const GpuProduct*>& rows,
                              const Knowledge& knowledge) {
  std::vector<Card> variants;
  for (const auto* row : rows) {
    auto same = std::find_if(variants.begin(), variants.end(), [&](const Card& card) {
      return card.capability.is(row->capability) && card.chip == row->chip;
    });
    if (same == variants.end()) {
      variants.push_back(card_of(*row, name_source(row->name), knowledge));
    } else {
      for (auto id : split_words(row->pci_ids)) same->pci_ids.push_back("10de:" + lower(id));
    }
  }
  std::stable_sort(variants.begin(), variants.end(),
                   [](const Card& a, const Card& b) { return *a.capability < *b.capability; });
  return variants;
}

bool are_of_one_name(const std::vector<const GpuProduct*>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](auto* row) { return row->name == rows[0]->name; });
}

bool one_capability(const std::vector<const GpuProduct*>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](auto* row) { return row->capability == rows[0]->capability; });
}

// The rows of this name that fit what is known of the capability; none where the name is not known.
const GpuProduct* product_named(const std::vector<const GpuProduct*>& rows,
                                ComputeCapability capability) {
  for (const auto* row : rows) {
    if (row->capability == capability) return row;
  }
  return nullptr;
}

std::vector<ComputeCapability> tegra_capabilities() {
  std::vector<ComputeCapability> out;
  std::vector<std::string> problems;
  const Knowledge knowledge = Knowledge::embedded();
  for (const TegraRow& row : tegra_rows(knowledge, problems)) out.push_back(row.capability);
  return out;
}

std::string source_of(const Gpu& gpu) {
  const auto& fact = gpu.compute_capability;
  return fact.state() == FactState::given ? "given" : fact.source();
}

// The driver answered, or it was given: only the product row is looked up.
Card by_capability(const Gpu& gpu, const Knowledge& knowledge) {
  Card card;
  auto capability = *gpu.compute_capability;
  card.capability = gpu.compute_capability;
  card.tegra = is_tegra(capability);
  card.label = gpu.name.value_or("compute capability " + capability.text());
  const GpuProduct* product = nullptr;
  if (gpu.pci_id.has() && gpu.pci_id->vendor == kNvidia) {
    const auto* row = pci_row(*gpu.pci_id, knowledge);
    if (row != nullptr) product = product_of(*row, gpu.pci_id->device, knowledge);
    card.pci_ids.push_back(gpu.pci_id->text());
  }
  if (product == nullptr && gpu.name.has()) {
    product = product_named(match_name(*gpu.name, knowledge).rows, capability);
  }
  std::string_view last;
  if (product != nullptr && product->capability == capability) {
    auto own_ids = card.pci_ids;
    add_product(card, *product);
    if (!own_ids.empty()) card.pci_ids = own_ids;
    last = product->last_driver_branch;
  }
  set_branches(card, last, knowledge);
  return card;
}

Card by_pci(const Gpu& gpu, const PciRow& row, const Knowledge& knowledge) {
  Card card;
  card.label = gpu.name.value_or(std::string(row.name));
  if (card.label.starts_with("NVIDIA ")) card.label.erase(0, 7);
  card.chip = row.chip;
  card.architecture = row.architecture;
  card.capability =
      Fact<ComputeCapability>::known(row.capability, "table: PCI id " + gpu.pci_id->text());
  card.tegra = is_tegra(row.capability);
  const auto* product = product_of(row, gpu.pci_id->device, knowledge);
  if (product != nullptr) add_product(card, *product);
  card.pci_ids = {gpu.pci_id->text()};
  set_branches(card, product != nullptr ? product->last_driver_branch : "", knowledge);
  return card;
}

// A name that fits more products than this says too little to list them ("RTX", "Quadro").
constexpr std::size_t kMostNames = 8;

bool says_too_little(const NameMatch& match) {
  return match.also.size() > kMostNames;
}

// Later branches serve none of them, whichever it is.
void set_last_of_all(Card& card) {
  const auto ends = [](const Card& variant) { return variant.last_branch > 0; };
  if (!std::all_of(card.variants.begin(), card.variants.end(), ends)) return;
  card.branch_known = true;
  for (const Card& variant : card.variants)
    card.last_branch = std::max(card.last_branch, variant.last_branch);
}

Card by_name(const std::string& name, const Knowledge& knowledge) {
  auto match = match_name(name, knowledge);
  Card card;
  card.label = name;
  if (match.rows.empty() || says_too_little(match)) {
    card.capability = Fact<ComputeCapability>::unknown("no product of the tables has this name");
    return card;
  }
  if (one_capability(match.rows)) {
    const bool one = are_of_one_name(match.rows);
    card = card_of(*match.rows[0], name_source(one ? match.rows[0]->name : name), knowledge);
    card.label = name;
    if (!one) card.pci_ids.clear();  // they are those of one product
    return card;
  }
  card.capability = Fact<ComputeCapability>::unknown("sold with chips of different capability");
  card.variants = variants_of(match.rows, knowledge);
  set_last_of_all(card);
  return card;
}

std::optional<Gpu> gpu_of_pci(std::string_view text) {
  if (!lower(text).starts_with("10de:")) return {};
  auto parts = split(text, ':');
  PciId id;
  auto device = parse_hex(parts[1]);
  if (parts[1].size() != 4 || !device) return {};
  id.device = static_cast<int>(*device);
  if (parts.size() == 4 && parts[2].size() == 4 && parts[3].size() == 4) {
    id.subvendor = static_cast<int>(parse_hex(parts[2]).value_or(0));
    id.subdevice = static_cast<int>(parse_hex(parts[3]).value_or(0));
  } else if (parts.size() != 2) {
    return {};
  }
  Gpu gpu;
  gpu.given = true;
  gpu.pci_id = Fact<PciId>::given(id);
  return gpu;
}

bool is_a_capability(ComputeCapability capability, const Knowledge& knowledge) {
  const auto& products = knowledge.products();
  return std::any_of(products.begin(), products.end(),
                     [&](const auto& row) { return row.capability == capability; });
}

// "8.6" and "sm_86" say that they are one; a bare "86" only where no product is called so.
std::optional<ComputeCapability> capability_of(std::string_view text) {
  bool says_so = contains(text, ".") || text.starts_with("sm") || text.starts_with("compute_") ||
                 text.starts_with("cc");
  return says_so ? ComputeCapability::parse(replace_all(std::string(text), "cc ", "cc"))
                 : std::nullopt;
}

Gpu gpu_of_capability(ComputeCapability capability) {
  Gpu gpu;
  gpu.given = true;
  gpu.compute_capability = Fact<ComputeCapability>::given(capability);
  return gpu;
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string out;
  for (auto name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

tl::unexpected<Error> no_such_card(std::string_view text, const Knowledge& knowledge) {
  auto near = nearest_names(text, knowledge, 3);
  std::string message = "the table of cards does not know \"" + printable(text) + "\"";
  if (!near.empty()) message += "; near: " + listed(near);
  return error(ErrorKind::usage, std::move(message));
}

}  // namespace

bool is_tegra(ComputeCapability capability) {
  static const std::vector<ComputeCapability> kTegra = tegra_capabilities();
  return std::find(kTegra.begin(), kTegra.end(), capability) != kTegra.end();
}

Card identify(const Gpu& gpu, const Knowledge& knowledge) {
  if (gpu.compute_capability.has()) {
    Card card = by_capability(gpu, knowledge);
    card.capability = gpu.compute_capability.state() == FactState::given
                          ? gpu.compute_capability
                          : Fact<ComputeCapability>::known(*gpu.compute_capability, source_of(gpu));
    return card;
  }
  if (gpu.pci_id.has() && gpu.pci_id->vendor == kNvidia) {
    if (const auto* row = pci_row(*gpu.pci_id, knowledge)) return by_pci(gpu, *row, knowledge);
  }
  if (gpu.name.has()) {
    Card card = by_name(*gpu.name, knowledge);
    if (gpu.pci_id.has()) card.pci_ids = {gpu.pci_id->text()};
    return card;
  }
  Card card;
  card.label = gpu.pci_id.has() ? gpu.pci_id->text() : "NVIDIA GPU";
  card.capability = Fact<ComputeCapability>::unknown(
      gpu.pci_id.has() ? "PCI id " + gpu.pci_id->text() + " is not in the tables"
                       : "neither name nor PCI id is known");
  if (gpu.pci_id.has()) card.pci_ids = {gpu.pci_id->text()};
  return card;
}

Result<Gpu> gpu_from_text(std::string_view raw, const Knowledge& knowledge) {
  auto text = trim(raw);
  if (auto gpu = gpu_of_pci(text)) {
    if (pci_row(*gpu->pci_id, knowledge) != nullptr) return *gpu;
    return error(ErrorKind::usage,
                 "the table of cards does not know PCI id " + gpu->pci_id->text());
  }
  if (auto capability = capability_of(lower(text))) {
    if (is_a_capability(*capability, knowledge)) return gpu_of_capability(*capability);
    return error(ErrorKind::usage,
                 "the table of cards knows none of compute capability " + capability->text());
  }
  auto match = match_name(text, knowledge);
  if (says_too_little(match)) {
    return error(ErrorKind::usage,
                 "several cards are called that: " + listed(match.also) + "; name one of them");
  }
  if (match.rows.empty()) {
    auto number = ComputeCapability::parse(text);
    if (number && is_a_capability(*number, knowledge)) return gpu_of_capability(*number);
    return no_such_card(text, knowledge);
  }
  Gpu gpu;
  gpu.given = true;
  // "Tesla V100" is what several products have in common: no one of them was meant.
  const bool one = are_of_one_name(match.rows);
  gpu.name = Fact<std::string>::given(std::string(one ? match.rows.front()->name : text));
  return gpu;
}

}  // namespace kernelfit
