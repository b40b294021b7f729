// SPDX-License-Identifier: Apache-2.0
// `doctor --steps`: what a person would look at by hand, from the slot to the environment. A step
// says what was found there; it never judges anew what judge and the rules have judged.
#include <algorithm>

#include "base/text.h"
#include "diagnose/diagnose.h"
#include "diagnose/facts.h"

namespace kernelfit {

std::string_view text_of(Step::State state) {
  switch (state) {
    case Step::State::passed: return "passed";
    case Step::State::failed: return "failed";
    case Step::State::skipped: return "skipped";
    case Step::State::unknown: break;
  }
  return "unknown";
}

namespace {

using State = Step::State;

class Walk {
 public:
  Walk(const Situation& situation, const std::vector<Finding>& findings)
      : situation_(situation), machine_(situation.machine), findings_(findings) {}

  std::vector<Step> run() {
    hardware();
    driver();
    cuda();
    environments();
    return std::move(steps_);
  }

 private:
  void add(std::string id, State state, std::string key, Fill values, std::string looked_at) {
    std::string stage = id.substr(0, id.find('.'));
    steps_.push_back({std::move(id), std::move(stage), state,
                      Said{"diagnose.step." + std::move(key), std::move(values)},
                      std::move(looked_at)});
  }
  void skip(std::string id, std::string because) {
    add(std::move(id), State::skipped, "skipped", {{"because", std::move(because)}}, "");
  }
  bool found(std::string_view name) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const Finding& finding) { return finding.name == name; });
  }
  const std::string& label(std::size_t gpu) const { return situation_.judgement.cards[gpu].label; }

  // --- hardware: on the bus, link, external box, faults that the kernel log names

  void hardware() {
    bus();
    if (machine_.gpus.empty()) return;
    for (std::size_t i = 0; i < machine_.gpus.size(); ++i) link(i);
    external();
    health();
  }

  void bus() {
    const System& system = machine_.system;
    std::vector<std::string> names;
    for (const auto& card : situation_.judgement.cards) names.push_back(card.label);
    std::string all = join(names, ", ");
    bool given = !machine_.gpus.empty() && machine_.gpus.front().given;
    if (given) return add("hardware.bus", State::passed, "bus.given", {{"names", all}}, "given");
    if (!names.empty()) {
      return add("hardware.bus", State::passed, "bus.found",
                 {{"count", std::to_string(names.size())}, {"names", all}}, bus_source());
    }
    if (system.pci_devices.has() || !machine_.other_gpus.empty()) {
      return add("hardware.bus", State::failed, "bus.none", {}, bus_source());
    }
    add("hardware.bus", State::unknown, "bus.unknown", {}, bus_source());
  }
  std::string bus_source() const {
    const Fact<std::int64_t>& bus = machine_.system.pci_devices;
    if (!bus.source().empty()) return bus.source();
    return machine_.gpus.empty() ? "" : machine_.gpus.front().name.source();
  }

  void link(std::size_t gpu) {
    const Fact<std::string>& link = machine_.gpus[gpu].link;
    if (!link.has()) return;  // nothing to say: many systems do not tell
    add("hardware.link", State::passed, "link.known", {{"card", label(gpu)}, {"link", *link}},
        link.source());
  }

  void external() {
    for (std::size_t i = 0; i < machine_.gpus.size(); ++i) {
      if (!machine_.gpus[i].external) continue;
      add("hardware.external", State::passed, "external.yes", {{"card", label(i)}},
          machine_.gpus[i].pci_address.source());
    }
  }

  void health() {
    for (const auto& finding : findings_) {
      if (finding.name != "hardware-fault") continue;
      std::string text;
      for (const auto& evidence : finding.evidence) {
        if (!evidence.absent && evidence.source == "kernel log") text = evidence.value;
      }
      return add("hardware.health", State::failed, "health.fault", {{"text", text}}, "kernel log");
    }
    if (machine_.kernel_events.empty()) {
      return add("hardware.health", State::unknown, "health.unknown", {}, "kernel log");
    }
    add("hardware.health", State::passed, "health.fine", {}, "kernel log");
  }

  // --- driver: loaded, flavour, version, both halves alike, device files

  void driver() {
    if (machine_.gpus.empty() && machine_.driver.version.is_absent()) {
      return skip("driver.loaded", "no-nvidia-gpu");
    }
    if (machine_.driver.version.state() != FactState::given) loaded();
    if (machine_.driver.version.is_absent()) return;
    if (machine_.system.os.is("linux")) flavor();
    version();
    if (!machine_.system.os.is("linux") || machine_.system.l4t.has()) return;
    match();
    nodes();
  }

  void loaded() {
    const Driver& driver = machine_.driver;
    if (driver.module_loaded.is(true) || driver.version.has()) {
      return add("driver.loaded", State::passed, "loaded.yes", {}, driver.version.source());
    }
    if (driver.other_module.has()) {
      return add("driver.loaded", State::failed, "loaded.other", {{"module", *driver.other_module}},
                 driver.other_module.source());
    }
    if (driver.version.is_absent()) {
      return add("driver.loaded", State::failed, "loaded.no", {}, driver.version.source());
    }
    add("driver.loaded", State::unknown, "loaded.unknown", {}, driver.version.source());
  }

  void flavor() {
    const Fact<std::string>& flavor = machine_.driver.flavor;
    if (!flavor.has()) {
      if (machine_.driver.version.state() == FactState::given) return;
      return add("driver.flavor", State::unknown, "flavor.unknown", {}, flavor.source());
    }
    for (const auto& card : situation_.judgement.cards) {
      if (!card.capability.has()) continue;
      auto needed = module_flavor_for(card);
      if (needed.empty() || needed == *flavor) continue;
      return add("driver.flavor", State::failed, "flavor.wrong",
                 {{"flavor", *flavor}, {"card", card.label}, {"needed", std::string(needed)}},
                 flavor.source());
    }
    add("driver.flavor", State::passed, "flavor.fits", {{"flavor", *flavor}}, flavor.source());
  }

  void version() {
    const Fact<DottedVersion>& version = machine_.driver.version;
    if (!version.has()) {
      return add("driver.version", State::unknown, "version.unknown", {}, version.source());
    }
    const DriverBranch* branch = branch_of(*version, driver_os_of(machine_), situation_.knowledge);
    for (const auto& card : situation_.judgement.cards) {
      if (branch == nullptr || !version_serves(card, branch->branch)) return;
    }
    Fill values = {{"version", version->text()}};
    if (branch == nullptr) {
      return add("driver.version", State::passed, "version.alone", values, version.source());
    }
    values.emplace_back("cuda", machine_.driver.cuda_max.has() ? machine_.driver.cuda_max->text()
                                                               : branch->max_cuda.text());
    add("driver.version", State::passed, "version.known", values, version.source());
  }
  bool version_serves(const Card& card, int branch) {
    const Fact<DottedVersion>& version = machine_.driver.version;
    bool dropped = card.last_branch > 0 && branch > card.last_branch;
    if (!dropped && branch >= card.first_branch) return true;
    int limit = dropped ? card.last_branch : card.first_branch;
    add("driver.version", State::failed, dropped ? "version.dropped" : "version.too-old",
        {{"version", version->text()}, {"card", card.label}, {"branch", std::to_string(limit)}},
        version.source());
    return false;
  }

  void match() {
    Facts facts = machine_facts(situation_);
    const FactText& mismatch = facts.at("driver.mismatch");
    if (machine_.driver.version.state() == FactState::given) return;
    if (mismatch.text == "no") {
      return add("driver.match", State::passed, "match.yes", {}, mismatch.source);
    }
    if (mismatch.text == "yes") {
      auto text = [](const Fact<DottedVersion>& fact) { return fact.has() ? fact->text() : "?"; };
      return add("driver.match", State::failed, "match.no",
                 {{"library", text(machine_.driver.library_version)},
                  {"module", text(machine_.driver.version)}},
                 mismatch.source);
    }
    add("driver.match", State::unknown, "match.unknown", {}, "libcuda.so.1");
  }

  void nodes() {
    const Driver& driver = machine_.driver;
    if (driver.version.state() == FactState::given) return;
    auto say = [&](State state, const char* key) {
      add("driver.nodes", state, key, {}, driver.device_nodes.source());
    };
    if (driver.device_nodes.is(false)) return say(State::failed, "nodes.none");
    if (driver.uvm_nodes.is(false)) return say(State::failed, "nodes.no-uvm");
    if (driver.device_nodes.is(true)) return say(State::passed, "nodes.yes");
    say(State::unknown, "nodes.unknown");
  }

  // --- cuda: libcuda, an answer from the driver, what programs may see, toolkits

  void cuda() {
    if (machine_.hypothetical) return;
    if (machine_.driver.version.is_absent()) return skip("cuda.libcuda", "driver-not-loaded");
    if (machine_.gpus.empty()) return skip("cuda.libcuda", "no-nvidia-gpu");
    libcuda();
    answer();
    visible();
    toolkits();
  }

  void libcuda() {
    const Driver& driver = machine_.driver;
    Fill path = {{"path", driver.library_path.value_or("")}};
    if (driver.library_problem.has()) {
      path.emplace_back("problem", *driver.library_problem);
      bool fine = driver.nvml.is("ok") && *driver.library_problem == "duplicate";
      return add("cuda.libcuda", fine ? State::passed : State::failed, "libcuda.problem", path,
                 driver.library_problem.source());
    }
    auto say = [&](State state, const char* key) {
      add("cuda.libcuda", state, key, path, driver.library_path.source());
    };
    if (driver.library_path.has()) return say(State::passed, "libcuda.found");
    if (driver.library_path.is_absent()) return say(State::failed, "libcuda.none");
    say(State::unknown, "libcuda.unknown");
  }

  void answer() {
    const Fact<std::string>& nvml = machine_.driver.nvml;
    if (!nvml.has()) return add("cuda.answer", State::unknown, "nvml.unknown", {}, nvml.source());
    bool good = *nvml == "ok";
    add("cuda.answer", good ? State::passed : State::failed, good ? "nvml.ok" : "nvml.bad",
        {{"state", *nvml}}, nvml.source());
  }

  void visible() {
    std::size_t count = 0;
    for (const auto& gpu : machine_.gpus) {
      if (!gpu.visible.has()) {
        return add("cuda.visible", State::unknown, "visible.unknown", {}, "CUDA_VISIBLE_DEVICES");
      }
      count += *gpu.visible ? 1 : 0;
    }
    add("cuda.visible", count > 0 ? State::passed : State::failed,
        count > 0 ? "visible.all" : "visible.none",
        {{"count", std::to_string(count)}, {"total", std::to_string(machine_.gpus.size())}},
        "CUDA_VISIBLE_DEVICES");
  }

  void toolkits() {
    std::vector<std::string> versions, paths;
    for (const auto& toolkit : machine_.toolkits) {
      versions.push_back(toolkit.version.has() ? toolkit.version->text() : "?");
      paths.push_back(toolkit.path);
    }
    bool none = versions.empty();
    add("cuda.toolkit", none ? State::skipped : State::passed,
        none ? "toolkit.none" : "toolkit.found", {{"versions", join(versions, ", ")}},
        join(paths, " "));
  }

  // --- framework and environment, one after the other for each environment with something to say

  void environments() {
    if (machine_.environments.empty()) {
      return add("environment.found", machine_.hypothetical ? State::skipped : State::unknown,
                 "environment.none", {}, "");
    }
    for (std::size_t i = 0; i < machine_.environments.size(); ++i) torch(static_cast<int>(i));
    for (std::size_t i = 0; i < machine_.environments.size(); ++i) whole(static_cast<int>(i));
  }

  void torch(int index) {
    const Environment& environment = machine_.environments[static_cast<std::size_t>(index)];
    bool any = false;
    for (const auto& verdict : situation_.judgement.verdicts) {
      if (verdict.environment != index || verdict.library != "torch") continue;
      any = true;
      framework(verdict, environment.path);
    }
    if (!any && environment.active) {
      add("framework.torch", State::skipped, "torch.none", {}, environment.path);
    }
  }

  void framework(const LibraryVerdict& verdict, const std::string& path) {
    std::string is(text_of(verdict.verdict));
    State state = runs(verdict.verdict)                 ? State::passed
                  : verdict.verdict == Verdict::unknown ? State::unknown
                                                        : State::failed;
    std::string key = runs(verdict.verdict)                 ? "torch." + is
                      : verdict.verdict == Verdict::unknown ? "torch.unknown"
                                                            : "torch.fails";
    std::string used = verdict.code.used ? verdict.code.used->text() : is;
    add("framework.torch", state, key,
        {{"what", "torch " + verdict.version}, {"used", used}, {"verdict", is}}, path);
  }

  void whole(int index) {
    const Environment& environment = machine_.environments[static_cast<std::size_t>(index)];
    std::vector<std::string> names;
    for (const auto& finding : findings_) {
      if (finding.subject.environment == index) names.push_back(finding.name);
    }
    if (environment.libraries.empty() && names.empty() && environment.problems.empty()) return;
    if (!names.empty()) {
      return add("environment.packages", State::failed, "environment.findings",
                 {{"names", join(names, ", ")}}, environment.path);
    }
    if (!environment.problems.empty()) {
      return add("environment.packages", State::unknown, "environment.problems",
                 {{"problem", environment.problems.front()}}, environment.path);
    }
    add("environment.packages", State::passed, "environment.fits", {}, environment.path);
  }

  const Situation& situation_;
  const Machine& machine_;
  const std::vector<Finding>& findings_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> steps(const Situation& situation, const std::vector<Finding>& findings) {
  return Walk(situation, findings).run();
}

}  // namespace kernelfit
