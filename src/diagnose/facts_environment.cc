// SPDX-License-Identifier: Apache-2.0
// The facts of one environment, of one library in it, and of one verdict.
#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "diagnose/facts.h"
#include "diagnose/facts_packages.h"
#include "diagnose/facts_plan.h"
#include "knowledge/probe_rows.h"

namespace kernelfit {
namespace {

// "uv pip install --python /home/user/.venv", "/usr/bin/python3 -m pip uninstall -y": pieces of a
// command that already have their quotes.
void set_installer(Facts& facts, const Environment& environment, bool windows) {
  const Package* torch = environment.package("torch");
  bool uv = environment.kind == "uv" || (torch != nullptr && torch->manager == "uv");
  auto quoted = [&](const std::string& path) { return windows ? path : shell_quote(path); };
  std::string python = environment.interpreter.has() ? *environment.interpreter : "python";
  std::string place = " --python " + quoted(environment.path);
  std::string install = uv ? "uv pip install" + place : quoted(python) + " -m pip install";
  std::string remove = uv ? "uv pip uninstall" + place : quoted(python) + " -m pip uninstall -y";
  facts.set("env.pip_install", {FactState::known, std::move(install), {}, {}, true});
  facts.set("env.pip_uninstall", {FactState::known, std::move(remove), {}, {}, true});
}

// "torch", as the judgement sees it on the first GPU; and on how many GPUs it runs.
void set_torch_verdicts(Facts& facts, const Situation& situation, int environment) {
  std::vector<std::string> good;
  std::size_t bad = 0;
  facts.set_absent("env.torch.verdict");
  for (const auto& verdict : situation.judgement.verdicts) {
    if (verdict.environment != environment || verdict.library != "torch") continue;
    if (!facts.at("env.torch.verdict").has()) {
      facts.set_known("env.torch.verdict", std::string(text_of(verdict.verdict)));
    }
    if (!runs(verdict.verdict)) {
      ++bad;
    } else if (verdict.gpu >= 0) {
      const Gpu& gpu = situation.machine.gpus[static_cast<std::size_t>(verdict.gpu)];
      good.push_back(std::to_string(gpu.index >= 0 ? gpu.index : verdict.gpu));
    }
  }
  facts.set_count("env.torch.runs_on", good.size());
  facts.set_count("env.torch.fails_on", bad);
  facts.set_text("env.torch.good_gpus", join(good, ","));
}

std::string verdict_library(const LibraryVerdict& verdict) {
  return verdict.version.empty() ? verdict.library : verdict.library + " " + verdict.version;
}

void set_archs(Facts& facts, const std::vector<GpuArch>& archs) {
  facts.set_text("verdict.archs", arch_list_text(archs));
  facts.set_absent("verdict.arch_min");
  facts.set_absent("verdict.arch_max");
  if (archs.empty()) return;
  auto by_number = [](const GpuArch& a, const GpuArch& b) { return a.number < b.number; };
  auto [low, high] = std::minmax_element(archs.begin(), archs.end(), by_number);
  facts.set_known("verdict.arch_min", low->capability().text());
  facts.set_known("verdict.arch_max", high->capability().text());
}

std::string basis_text(const LibraryVerdict& verdict) {
  return verdict.basis == "file" ? verdict.basis_detail : verdict.basis;
}

// Could the toolkit of this build have compiled code for the card at all? Where it could not,
// neither can the cuBLAS and cuDNN of that CUDA.
void set_toolkit(Facts& facts, const Situation& situation, const LibraryVerdict& verdict,
                 const Facts& environment) {
  facts.set_unknown("verdict.cuda_knows_card");
  facts.set_absent("verdict.too_old_cuda");
  auto cuda = DottedVersion::parse(environment.at("env.torch.cuda").text);
  auto at = static_cast<std::size_t>(verdict.gpu);
  const auto& cards = situation.judgement.cards;
  if (!cuda || verdict.gpu < 0 || at >= cards.size() || !cards[at].capability.has()) return;
  CodeRule rule = code_rule(cards[at], *cuda);
  for (const auto& toolkit : situation.knowledge.toolkits()) {
    if (toolkit.cuda.first(2) != cuda->first(2)) continue;
    bool knows = std::any_of(toolkit.sass.begin(), toolkit.sass.end(),
                             [&](const GpuArch& arch) { return serves(arch, rule); });
    bool newer =
        !knows && !toolkit.sass.empty() && *cards[at].capability > toolkit.sass.back().capability();
    if (newer) facts.set_known("verdict.too_old_cuda", cuda->first(2).text(), "table");
    return facts.set_truth("verdict.cuda_knows_card", knows, "table");
  }
}

// A library whose source is written for some cards only: flash-attn from 8.0 on, flash-attn-3 for
// 9.0 alone. No release and no build of one's own serves the others.
void set_source(Facts& facts, const Situation& situation, const LibraryVerdict& verdict) {
  for (auto name : {"verdict.source_from", "verdict.source_cards"}) facts.set_absent(name);
  facts.set_truth("verdict.outside_source", false);
  const auto* row =
      library_row(verdict.library, public_version(verdict.version), {}, situation.knowledge);
  auto at = static_cast<std::size_t>(verdict.gpu);
  const auto& cards = situation.judgement.cards;
  if (row == nullptr || verdict.gpu < 0 || at >= cards.size()) return;
  const LibraryRange range = range_of(*row);
  if (!range.is_of_source) return;
  const std::string minimum = range.minimum.text(), maximum = range.maximum.text();
  if (range.ends) {
    const std::string cards_text = minimum == maximum ? minimum : minimum + "–" + maximum;
    facts.set_known("verdict.source_cards", cards_text, "table");
  } else {
    facts.set_known("verdict.source_from", minimum, "table");
  }
  const auto& capability = cards[at].capability;
  if (!capability.has()) return;
  const bool above = range.ends && *capability > range.maximum;
  facts.set_truth("verdict.outside_source", *capability < range.minimum || above, "table");
}

// The variables that the package's own setup heeds ("FLASH_ATTN_CUDA_ARCHS=120"), and the newest
// release of it that the table gives code for this card when it is built for torch's CUDA.
void set_build(Facts& facts, const Situation& situation, const LibraryVerdict& verdict,
               const Facts& environment) {
  for (auto name : {"verdict.build_with", "verdict.newer_release"}) facts.set_absent(name);
  const auto at = static_cast<std::size_t>(verdict.gpu);
  const auto& cards = situation.judgement.cards;
  if (runs(verdict.verdict) || verdict.gpu < 0 || at >= cards.size()) return;
  const auto& capability = cards[at].capability;
  if (!capability.has()) return;
  std::vector<std::string> problems;
  for (const auto& row : package_rows(situation.knowledge, problems)) {
    if (row.name != verdict.library || row.build_with.empty()) continue;
    const std::string text = capability->text();
    std::string words = replace_all(std::string(row.build_with), "{capability}", text);
    words = replace_all(std::move(words), "{major}", text.substr(0, text.find('.')));
    facts.set("verdict.build_with", {FactState::known, std::move(words), "table", {}, true});
  }
  const auto cuda = DottedVersion::parse(environment.at("env.torch.cuda").text);
  auto newest = PackageVersion::parse(public_version(verdict.version));
  if (!cuda || !newest) return;
  const auto platform = text_of(platform_of(situation.machine));
  const CodeRule rule = code_rule(cards[at], *cuda);
  for (const auto& row : situation.knowledge.library_archs()) {
    const auto version = PackageVersion::parse(row.version_max);
    if (row.library != verdict.library || !version || *version <= *newest) continue;
    if (!row_is_for_cuda(row, *cuda) || (!row.platform.empty() && row.platform != platform))
      continue;
    const auto archs = parse_arch_list(row.sass);
    if (std::none_of(archs.begin(), archs.end(),
                     [&](const GpuArch& arch) { return serves(arch, rule); }))
      continue;
    newest = version;
    facts.set_known("verdict.newer_release", std::string(row.version_max), "table");
  }
}

// How torch itself runs on this card, beside which its parts are judged; absent without a torch.
std::string torch_beside(const Situation& situation, const LibraryVerdict& verdict) {
  for (const auto& one : situation.judgement.verdicts) {
    bool same = one.environment == verdict.environment && one.gpu == verdict.gpu;
    if (same && one.library == "torch") return std::string(text_of(one.verdict));
  }
  return {};
}

std::string problem_of(const Situation& situation, const LibraryVerdict& verdict) {
  if (verdict.environment < 0) return {};
  auto at = static_cast<std::size_t>(verdict.environment);
  const Library* library = situation.machine.environments[at].library(verdict.library);
  return library == nullptr || library->problems.empty() ? "" : library->problems.front();
}

}  // namespace

Facts environment_facts(const Situation& situation, int environment, const Facts& machine) {
  Facts facts({&machine});
  const Environment& one = situation.machine.environments[static_cast<std::size_t>(environment)];
  Environment::each_fact(one, [&](std::string_view name, const auto& fact) {
    facts.set_fact("env." + std::string(name), fact);
  });
  facts.set_text("env.path", one.path);
  facts.set_text("env.kind", one.kind);
  facts.set_truth("env.active", one.active);
  facts.set_text("env.python_minor", one.python.has() ? one.python->first(2).text() : "");
  facts.set_count("env.problems", one.problems.size());
  facts.set_text("env.first_problem", one.problems.empty() ? "" : one.problems.front());
  set_installer(facts, one, machine.at("system.os").text == "windows");
  set_packages(facts, situation, one);
  set_torch_verdicts(facts, situation, environment);
  set_plan(facts, situation, environment);
  return facts;
}

Facts library_facts(const Library& library, const Facts& environment) {
  Facts facts({&environment});
  facts.set_text("library.name", library.name);
  facts.set_text("library.version", library.version);
  facts.set_fact("library.build", library.build);
  facts.set_fact("library.cuda", library.cuda);
  facts.set_text("library.location", library.location);
  facts.set_count("library.problems", library.problems.size());
  facts.set_text("library.first_problem", library.problems.empty() ? "" : library.problems.front(),
                 library.location);
  return facts;
}

Facts verdict_facts(const Situation& situation, const LibraryVerdict& verdict,
                    const Facts& environment, const Facts& gpu) {
  Facts facts({&environment, &gpu});
  facts.set_known("verdict.is", std::string(text_of(verdict.verdict)));
  facts.set_text("verdict.library", verdict.library);
  facts.set_text("verdict.version", verdict.version);
  facts.set_text("verdict.public", public_version(verdict.version));
  facts.set_text("verdict.what", verdict_library(verdict), basis_text(verdict));
  facts.set_text("verdict.torch", torch_beside(situation, verdict));
  facts.set_text("verdict.basis", basis_text(verdict));
  facts.set_text("verdict.used", verdict.code.used ? verdict.code.used->text() : "");
  facts.set_truth("verdict.needs_ptx", verdict.code.needs_ptx);
  facts.set_truth("verdict.by_minor_compatibility", verdict.driver.by_minor_compatibility);
  set_archs(facts, verdict.archs);
  if (!verdict.archs.empty()) {
    facts.set_text("verdict.archs", arch_list_text(verdict.archs), basis_text(verdict));
  }
  facts.set_absent("verdict.other_maker");
  for (const auto& [name, value] : verdict.reason.values) {
    if (name == "maker") facts.set_known("verdict.other_maker", value, "table");
  }
  facts.set_text("verdict.problem", problem_of(situation, verdict));
  set_source(facts, situation, verdict);
  set_toolkit(facts, situation, verdict, environment);
  set_build(facts, situation, verdict, environment);
  set_plan_of_card(facts, situation, verdict.environment, verdict.gpu);
  set_needed_driver(facts, situation, verdict.environment, verdict.driver);
  facts.set_text("verdict.needs_driver", verdict.driver.minimum.text(), "table");
  return facts;
}

std::vector<std::string> vocabulary(std::string_view scope) {
  Machine machine;
  machine.pasted = true;
  machine.gpus.resize(1);
  machine.environments.resize(1);
  Judgement judgement;
  judgement.cards.resize(1);
  Library library;
  LibraryVerdict verdict;
  verdict.environment = verdict.gpu = 0;
  Knowledge knowledge = Knowledge::embedded();
  std::vector<Plan> plans(2);
  Situation situation{machine, judgement, plans, knowledge};
  Facts machine_scope = machine_facts(situation);
  Facts gpu = gpu_facts(situation, 0, machine_scope);
  Facts environment = environment_facts(situation, 0, machine_scope);
  if (scope == "machine") return machine_scope.names();
  if (scope == "gpu") return gpu.names();
  if (scope == "environment") return environment.names();
  if (scope == "library") return library_facts(library, environment).names();
  if (scope == "verdict") return verdict_facts(situation, verdict, environment, gpu).names();
  return {};
}

}  // namespace kernelfit
