// SPDX-License-Identifier: Apache-2.0
// What a rule can ask for, as text by name: "driver.version", "card.capability", "plan.commands".
// Facts are scoped as rules are: an environment sees its machine's facts, a verdict sees those of
// its environment and its GPU. docs/glossary.md lists every name; adding a rule never touches this
// code.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnose.h"
#include "machine/fact.h"

namespace kernelfit {

struct FactText {
  FactState state = FactState::unknown;
  // As conditions see it: versions and names as people write them, "yes" or "no" for truth.
  std::string text = {};
  std::string source = {};
  std::string shown = {};  // as evidence where that says more: a whole line of the kernel log
  bool shell = false;      // a piece of a command line: goes into commands without quotes
  bool has() const { return state == FactState::known || state == FactState::given; }
};

// The lines of "plan.commands" and the like. `when`: what to know before they are pasted, or, where
// no line would be right on this system, the words that stand in their place.
struct CommandList {
  std::vector<std::string> lines;
  Said when;
  bool says() const { return !lines.empty() || !when.key.empty(); }
};

class Facts {
 public:
  Facts() = default;
  explicit Facts(std::vector<const Facts*> outer)
      : outer_(std::move(outer)) {}  // they outlive this

  // Never null: a name that is not there reads as unknown.
  const FactText& at(std::string_view name) const;
  const CommandList& commands(std::string_view name) const;  // empty where there is none
  bool knows(std::string_view name) const;                   // is it a name of this scope
  std::vector<std::string> names() const;                    // all of this scope, sorted

  void set(std::string name, FactText fact);
  void set_known(std::string name, std::string text, std::string source = {});
  void set_absent(std::string name, std::string source = {});
  void set_unknown(std::string name);
  void set_truth(std::string name, bool value, std::string source = {});
  void set_count(std::string name, std::size_t count, std::string source = {});
  // Known with the text, or absent where it is empty.
  void set_text(std::string name, std::string text, std::string source = {});
  void set_commands(std::string name, CommandList list);
  template <typename T>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved on
  void set_fact(std::string name, const Fact<T>& fact) {
    set(std::move(name), {fact.state(), fact.has() ? text_of(*fact) : "", fact.source()});
  }

 private:
  const FactText* find(std::string_view name) const;
  std::vector<const Facts*> outer_;
  std::map<std::string, FactText, std::less<>> facts_;
  std::map<std::string, CommandList, std::less<>> commands_;
};

// The builders, one per scope. Indices are into the machine's and the judgement's lists.
Facts machine_facts(const Situation& situation);
Facts gpu_facts(const Situation& situation, int gpu, const Facts& machine);
Facts environment_facts(const Situation& situation, int environment, const Facts& machine);
Facts library_facts(const Library& library, const Facts& environment);
Facts verdict_facts(const Situation& situation, const LibraryVerdict& verdict,
                    const Facts& environment, const Facts& gpu);

// The names a rule of this scope may use: "machine", "gpu", "environment", "library", "verdict".
std::vector<std::string> vocabulary(std::string_view scope);

}  // namespace kernelfit
