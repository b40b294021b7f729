// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts.h"

#include <algorithm>

namespace kernelfit {

const FactText* Facts::find(std::string_view name) const {
  if (auto it = facts_.find(name); it != facts_.end()) return &it->second;
  for (const Facts* outer : outer_) {
    if (const FactText* found = outer->find(name)) return found;
  }
  return nullptr;
}

const FactText& Facts::at(std::string_view name) const {
  static const FactText kUnknown;
  const FactText* found = find(name);
  return found != nullptr ? *found : kUnknown;
}

const CommandList& Facts::commands(std::string_view name) const {
  static const CommandList kNone;
  if (auto it = commands_.find(name); it != commands_.end()) return it->second;
  if (facts_.contains(name)) return kNone;  // hides an outer list of that name
  for (const Facts* outer : outer_) {
    if (const auto& found = outer->commands(name); found.says()) return found;
  }
  return kNone;
}

bool Facts::knows(std::string_view name) const {
  return find(name) != nullptr;
}

std::vector<std::string> Facts::names() const {
  std::vector<std::string> out;
  for (const auto& [name, fact] : facts_) out.push_back(name);
  for (const Facts* outer : outer_) {
    for (auto& name : outer->names()) out.push_back(std::move(name));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Facts::set(std::string name, FactText fact) {
  facts_[std::move(name)] = std::move(fact);
}
void Facts::set_known(std::string name, std::string text, std::string source) {
  set(std::move(name), {FactState::known, std::move(text), std::move(source)});
}
void Facts::set_absent(std::string name, std::string source) {
  set(std::move(name), {FactState::absent, {}, std::move(source)});
}
void Facts::set_unknown(std::string name) {
  set(std::move(name), {});
}
void Facts::set_truth(std::string name, bool value, std::string source) {
  set_known(std::move(name), value ? "yes" : "no", std::move(source));
}
void Facts::set_count(std::string name, std::size_t count, std::string source) {
  set_known(std::move(name), std::to_string(count), std::move(source));
}
void Facts::set_text(std::string name, std::string text, std::string source) {
  bool empty = text.empty();
  set(std::move(name),
      {empty ? FactState::absent : FactState::known, std::move(text), std::move(source)});
}
void Facts::set_commands(std::string name, CommandList list) {
  set_text(name, list.lines.empty() ? list.when.key : join(list.lines, "\n"));
  commands_[std::move(name)] = std::move(list);
}

}  // namespace kernelfit
