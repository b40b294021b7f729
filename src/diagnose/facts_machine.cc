// SPDX-License-Identifier: Apache-2.0
// The facts of a machine and of one GPU, with what follows from them.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "diagnose/facts.h"
#include "diagnose/facts_log.h"
#include "diagnose/facts_memory.h"
#include "diagnose/facts_plan.h"
#include "diagnose/facts_system.h"
#include "solve/conflict.h"
#include "solve/host_conflict.h"

namespace kernelfit {
namespace {

constexpr std::array<std::string_view, 14> kEventKinds = {"api-mismatch",
                                                          "unsupported-gpu",
                                                          "open-module-unsupported",
                                                          "open-module-required",
                                                          "init-failed",
                                                          "already-bound",
                                                          "no-devices-probed",
                                                          "nouveau",
                                                          "key-rejected",
                                                          "module-mismatch",
                                                          "module-load",
                                                          "fallen-off-bus",
                                                          "bar-invalid",
                                                          "gsp"};

// Xids that name the hardware, not the program: memory (48, 63, 64, 92, 94, 95, 140), the bus (79),
// NVLink (74), "GPU reset required" (154). NVIDIA, "XID Errors".
constexpr std::array<int, 10> kHardwareXids = {48, 63, 64, 74, 79, 92, 94, 95, 140, 154};

constexpr std::string_view kKernelLog = "kernel log";

template <class Group>
void set_group(Facts& facts, const std::string& prefix, const Group& group) {
  Group::each_fact(group, [&](std::string_view name, const auto& fact) {
    facts.set_fact(prefix + std::string(name), fact);
  });
}

void set_event(Facts& facts, const KernelEvent& event) {
  if (!facts.knows("kernel." + event.kind)) return;
  std::string name = "kernel." + event.kind;
  if (facts.at(name).has()) return;  // the first of its kind is nearest to the cause
  std::string text = event.detail.empty() ? event.text : event.detail;
  facts.set(name, {FactState::known, std::move(text), std::string(kKernelLog), event.text});
}

void set_xid(Facts& facts, const KernelEvent& event) {
  bool hardware =
      std::find(kHardwareXids.begin(), kHardwareXids.end(), event.xid) != kHardwareXids.end();
  if (!hardware || facts.at("kernel.hardware_xid").has()) return;
  facts.set_known("kernel.hardware_xid", std::to_string(event.xid), std::string(kKernelLog));
  facts.set_known("kernel.hardware_xid_text", event.text, std::string(kKernelLog));
}

// Does the line speak of another card than the one at this address ("0000:01:00.0")?
bool about_another(const KernelEvent& event, const Gpu& gpu) {
  if (!gpu.pci_address.has()) return false;
  std::string_view address = *gpu.pci_address;
  std::string_view slot = address.substr(0, address.rfind('.'));  // Xid lines have no function
  if (contains(event.text, slot) || contains(event.detail, slot)) return false;
  return contains(event.text, " 0000:") || contains(event.text, "PCI:0000:");
}

void set_events(Facts& facts, const Machine& machine, const Gpu* gpu) {
  for (auto kind : kEventKinds) {
    facts.set_absent("kernel." + std::string(kind), std::string(kKernelLog));
  }
  facts.set_absent("kernel.hardware_xid", std::string(kKernelLog));
  facts.set_absent("kernel.hardware_xid_text", std::string(kKernelLog));
  for (const auto& event : machine.kernel_events) {
    if (gpu != nullptr && about_another(event, *gpu)) continue;
    set_event(facts, event);
    set_xid(facts, event);
  }
}

void set_driver(Facts& facts, const Situation& situation) {
  const Machine& machine = situation.machine;
  set_group(facts, "driver.", machine.driver);
  facts.set_truth("driver.given", machine.driver.version.source() == "given");
  for (auto name : {"driver.branch", "driver.branch_cuda"}) {
    facts.set(name, {machine.driver.version.is_absent() ? FactState::absent : FactState::unknown,
                     {},
                     machine.driver.version.source()});
  }
  if (!machine.driver.version.has()) return;
  const DriverBranch* branch =
      branch_of(*machine.driver.version, driver_os_of(machine), situation.knowledge);
  if (branch == nullptr) return;
  facts.set_known("driver.branch", std::to_string(branch->branch), machine.driver.version.source());
  facts.set_text("driver.branch_cuda", branch->max_cuda.text(), "table");
}

std::string unique_words(std::vector<std::string> words, std::string_view separator) {
  std::vector<std::string> out;
  for (auto& word : words) {
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(std::move(word));
  }
  return join(out, separator);
}

// How many GPUs answer yes; unknown as soon as one of them is.
void set_visible(Facts& facts, const Machine& machine) {
  std::size_t visible = 0;
  bool unknown = machine.gpus.empty();
  for (const auto& gpu : machine.gpus) {
    unknown = unknown || !gpu.visible.has();
    visible += gpu.visible.is(true) ? 1 : 0;
  }
  if (unknown) return facts.set_unknown("gpus.visible");
  facts.set_count("gpus.visible", visible, machine.gpus.front().visible.source());
}

bool served(const Gpu& gpu) {
  return gpu.index >= 0 || gpu.bound_driver.is("nvidia");
}
bool held_by_other(const Gpu& gpu) {
  return gpu.index < 0 && gpu.bound_driver.has() && *gpu.bound_driver != "nvidia";
}

bool compiles_for(const CudaToolkit& toolkit, const std::vector<ComputeCapability>& cards) {
  return std::all_of(cards.begin(), cards.end(), [&](ComputeCapability card) {
    return std::any_of(toolkit.sass.begin(), toolkit.sass.end(),
                       [&](const GpuArch& arch) { return arch.capability() == card; });
  });
}

// The CUDA toolkits whose nvcc compiles for all cards: ">=12.8", "<=11.8", ">=10.0,<=12.9". Absent
// where none does.
std::string toolkits_for(const std::vector<ComputeCapability>& cards, const Knowledge& knowledge) {
  const auto& all = knowledge.toolkits();  // oldest first
  std::vector<const CudaToolkit*> fit;
  for (const CudaToolkit& toolkit : all) {
    if (compiles_for(toolkit, cards)) fit.push_back(&toolkit);
  }
  if (fit.empty()) return {};
  std::vector<std::string> bounds;
  if (fit.front() != &all.front()) bounds.push_back(">=" + fit.front()->cuda.text());
  if (fit.back() != &all.back()) bounds.push_back("<=" + fit.back()->cuda.text());
  return join(bounds, ",");
}

void set_capabilities(Facts& facts, const std::vector<Card>& cards, const Knowledge& knowledge) {
  std::vector<ComputeCapability> all;
  for (const auto& card : cards) {
    if (card.capability.has()) all.push_back(*card.capability);
  }
  // One unknown capability could be the lowest or the highest.
  bool whole = !all.empty() && all.size() == cards.size();
  for (auto name : {"gpus.capability_min", "gpus.capability_max", "gpus.capabilities",
                    "gpus.arch_list", "gpus.toolkits"}) {
    facts.set_unknown(name);
  }
  if (!whole) return;
  std::sort(all.begin(), all.end());
  std::vector<std::string> texts;
  for (auto capability : all) texts.push_back(capability.text());
  facts.set_known("gpus.capability_min", texts.front());
  facts.set_known("gpus.capability_max", texts.back());
  facts.set_known("gpus.capabilities", unique_words(texts, " "));
  facts.set_known("gpus.arch_list", unique_words(texts, ";"));
  facts.set_text("gpus.toolkits", toolkits_for(all, knowledge), "table");
}

void set_gpus(Facts& facts, const Situation& situation) {
  const Machine& machine = situation.machine;
  const auto& gpus = machine.gpus;
  std::vector<std::string> labels, others;
  for (const auto& card : situation.judgement.cards) labels.push_back(card.label);
  for (const auto& other : machine.other_gpus) {
    others.push_back(other.name.empty() ? other.vendor : other.name);
  }
  auto count = [&](auto test) {
    return static_cast<std::size_t>(std::count_if(gpus.begin(), gpus.end(), test));
  };
  facts.set_count("gpus.count", gpus.size(), machine.system.pci_devices.source());
  facts.set_text("gpus.names", unique_words(labels, ", "));
  facts.set_text("gpus.other", unique_words(others, ", "), "PCI bus");
  facts.set_count("gpus.served", count(served));
  facts.set_count("gpus.held_by_other", count(held_by_other));
  facts.set_truth(
      "gpus.flavors_clash",
      solving::flavors_conflict(situation.judgement.cards, machine.system.os.value_or("linux")));
  facts.set_truth("gpus.tcc", count([](const Gpu& gpu) { return gpu.driver_model.is("TCC"); }) > 0);
  set_visible(facts, machine);
  set_capabilities(facts, situation.judgement.cards, situation.knowledge);
}

void set_problems(Facts& facts, const Machine& machine) {
  facts.set_count("probe.problems", machine.problems.size());
}

// "6.1", or "3.0 / 6.1" where the name alone leaves several chips.
void set_variants(Facts& facts, const Card& card) {
  for (auto name : {"card.capability_min", "card.capability_max", "card.capabilities"}) {
    facts.set_fact(name, card.capability);
  }
  if (card.variants.empty()) return;
  std::vector<ComputeCapability> all;
  for (const auto& variant : card.variants) {
    if (!variant.capability.has()) return;
    all.push_back(*variant.capability);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::string> texts;
  for (auto capability : all) texts.push_back(capability.text());
  facts.set_known("card.capability_min", texts.front(), "table");
  facts.set_known("card.capability_max", texts.back(), "table");
  facts.set_known("card.capabilities", unique_words(texts, " / "), "table");
}

// How CUDA in WSL 2 stands to the card; "none" also while no chip of an ambiguous name is served.
void set_wsl(Facts& facts, const Card& card, const Knowledge& knowledge) {
  const auto none = [&](const Card& one) {
    return one.capability.has() && wsl_support(one, knowledge) == WslSupport::none;
  };
  if (card.capability.has()) {
    constexpr std::array<const char*, 3> kWords = {"named", "reported", "none"};
    const auto support = static_cast<std::size_t>(wsl_support(card, knowledge));
    return facts.set_known("card.wsl", kWords[support], "table");
  }
  facts.set_unknown("card.wsl");
  if (!card.variants.empty() && std::all_of(card.variants.begin(), card.variants.end(), none))
    facts.set_known("card.wsl", "none", "table");
}

void set_card(Facts& facts, const Card& card, const Knowledge& knowledge) {
  set_wsl(facts, card, knowledge);
  facts.set_text("card.label", card.label, card.capability.source());
  facts.set_text("card.chip", card.chip, card.chip.empty() ? "" : "table");
  facts.set_text("card.architecture", card.architecture);
  facts.set_fact("card.capability", card.capability);
  set_variants(facts, card);
  facts.set_truth("card.tegra", card.tegra);
  facts.set_truth("card.ambiguous", !card.variants.empty());
  for (auto [name, branch] : {std::pair{"card.first_branch", card.first_branch},
                              std::pair{"card.last_branch", card.last_branch}}) {
    facts.set(name, {card.branch_known ? FactState::absent : FactState::unknown, {}, "table"});
    if (branch > 0) facts.set_count(name, static_cast<std::size_t>(branch), "table");
  }
  if (!card.capability.has()) return facts.set_unknown("card.flavor");
  auto flavor = module_flavor_for(card);
  facts.set_known("card.flavor", flavor.empty() ? "either" : std::string(flavor), "table");
}

// Who has the card instead of the NVIDIA driver: what the bus says, else the kernel's own words
// ("0000:01:00.0 NovaCore" of an already-bound event), else the module that is loaded.
void set_holder(Facts& facts, const Machine& machine, const Gpu& gpu) {
  facts.set_absent("gpu.holder", gpu.bound_driver.source());
  if (served(gpu)) return;
  if (held_by_other(gpu)) return facts.set_fact("gpu.holder", gpu.bound_driver);
  if (machine.driver.module_loaded.is(true)) return;
  const FactText& said = facts.at("kernel.already-bound");
  if (said.has()) {
    auto words = split_words(said.text);
    return facts.set_known("gpu.holder", std::string(words.back()), said.source);
  }
  if (machine.driver.other_module.has()) facts.set_fact("gpu.holder", machine.driver.other_module);
}

}  // namespace

Facts machine_facts(const Situation& situation) {
  const Machine& machine = situation.machine;
  Facts facts;
  set_group(facts, "system.", machine.system);
  set_group(facts, "variables.", machine.variables);
  set_driver(facts, situation);
  set_events(facts, machine, nullptr);
  set_gpus(facts, situation);
  set_system(facts, machine);
  set_problems(facts, machine);
  set_log(facts, situation);
  set_memory(facts, situation);
  facts.set_truth("machine.hypothetical", machine.hypothetical);
  set_plan(facts, situation, -1);
  set_needed_driver_of_cards(facts, situation);
  return facts;
}

Facts gpu_facts(const Situation& situation, int gpu, const Facts& machine) {
  Facts facts({&machine});
  const Gpu& one = situation.machine.gpus[static_cast<std::size_t>(gpu)];
  set_group(facts, "gpu.", one);
  facts.set_fact("gpu.index", one.index >= 0 ? Fact<std::int64_t>::known(one.index, "driver")
                                             : Fact<std::int64_t>::absent("driver"));
  facts.set_truth("gpu.external", one.external);
  facts.set_truth("gpu.given", one.given);
  facts.set_truth("gpu.served", served(one));
  set_events(facts, situation.machine, &one);
  set_holder(facts, situation.machine, one);
  const auto& cards = situation.judgement.cards;
  auto at = static_cast<std::size_t>(gpu);
  set_card(facts, at < cards.size() ? cards[at] : Card(), situation.knowledge);
  return facts;
}

}  // namespace kernelfit
