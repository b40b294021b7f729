// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts_log.h"

#include <algorithm>
#include <map>
#include <set>

#include "solve/torch_pins.h"

namespace kernelfit {
namespace {

constexpr std::string_view kTable = "paste/messages.csv";

// The names between "(?P<" and ">".
std::vector<std::string> groups_of(std::string_view pattern) {
  constexpr std::string_view kOpening = "(?P<";
  std::vector<std::string> out;
  for (auto at = pattern.find(kOpening); at != std::string_view::npos;
       at = pattern.find(kOpening, at + 1)) {
    auto begin = at + kOpening.size(), end = pattern.find('>', begin);
    if (end != std::string_view::npos) out.emplace_back(pattern.substr(begin, end - begin));
  }
  return out;
}

// A pasted text was read whole: what it does not hold is not there.
void set_names(Facts& facts, const Knowledge& knowledge) {
  const Csv& table = knowledge.table(kTable);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string name = "log." + std::string(table.cell(row, "id"));
    facts.set_absent(name, "pasted");
    facts.set_count("log.count." + std::string(table.cell(row, "id")), 0);
    for (const auto& group : groups_of(table.cell(row, "pattern"))) {
      facts.set_absent(name + "." + group, "pasted");
    }
  }
}

void set_event(Facts& facts, const LogEvent& event, const Machine& machine) {
  const std::string name = "log." + event.id, source = line_source(machine, event.line);
  if (!facts.at(name).has()) facts.set_known(name, event.text, source);
  for (const auto& [group, value] : event.fields) {
    std::string whole = name + "." + group;
    if (!facts.at(whole).has()) facts.set_known(std::move(whole), value, source);
  }
}

// The first message that says that something failed: the others tell of what is there.
void set_failure(Facts& facts, const Machine& machine, const Knowledge& knowledge) {
  const Csv& table = knowledge.table(kTable);
  std::set<std::string_view> failures;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "kind") != "context") failures.insert(table.cell(row, "id"));
  }
  facts.set_absent("paste.failure", "pasted");
  const LogEvent* first = nullptr;
  for (const auto& event : machine.log) {
    bool sooner = first == nullptr || event.line < first->line;
    if (sooner && failures.contains(event.id)) first = &event;
  }
  if (first == nullptr) return;
  facts.set_known("paste.failure", first->text, line_source(machine, first->line));
}

// xformers has one torch for each release: the newest one for the torch that the text names.
void set_xformers_pair(Facts& facts, const Situation& situation) {
  const auto& environments = situation.machine.environments;
  const Library* torch = environments.empty() ? nullptr : environments.front().library("torch");
  const auto version = torch ? PackageVersion::parse(torch->version) : std::nullopt;
  const auto pin =
      version ? solving::pin_for("xformers", *version, situation.knowledge) : std::nullopt;
  facts.set_text("paste.xformers_pair", pin ? pin->version.text() : "", "table");
}

}  // namespace

void set_log(Facts& facts, const Situation& situation) {
  const Machine& machine = situation.machine;
  facts.set_unknown("paste.failure");
  facts.set_unknown("paste.xformers_pair");
  if (!machine.pasted) return;
  set_names(facts, situation.knowledge);
  std::map<std::string, std::size_t> counts;
  for (const auto& event : machine.log) {
    set_event(facts, event, machine);
    ++counts[event.id];
  }
  for (const auto& [id, count] : counts) facts.set_count("log.count." + id, count);
  set_failure(facts, machine, situation.knowledge);
  set_xformers_pair(facts, situation);
}

bool tells_of_a_build(const Situation& situation) {
  const Csv& table = situation.knowledge.table(kTable);
  const auto& log = situation.machine.log;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "kind") != "run") continue;
    auto id = table.cell(row, "id");
    if (std::any_of(log.begin(), log.end(), [&](const LogEvent& one) { return one.id == id; })) {
      return true;
    }
  }
  return false;
}

}  // namespace kernelfit
