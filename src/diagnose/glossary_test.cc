// SPDX-License-Identifier: Apache-2.0
// docs/glossary.md lists every fact that a rule can ask for, and none that it cannot.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "diagnose/facts.h"

namespace kernelfit {
namespace {

std::string read_glossary() {
  std::ifstream file(std::string(KF_TESTS_DIR) + "/../docs/glossary.md");
  std::stringstream out;
  out << file.rdbuf();
  return out.str();
}

std::vector<std::string> ticked(std::string_view line) {
  std::vector<std::string> out;
  auto parts = split(line, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) out.emplace_back(parts[i]);
  return out;
}

void add(std::set<std::string>& names, const std::string& name) {
  constexpr std::string_view kAny = "<library>";
  auto at = name.find(kAny);
  if (at == std::string::npos) {
    names.insert(name);
    return;
  }
  for (const char* library :
       {"torch", "torchvision", "torchaudio", "triton", "xformers", "bitsandbytes"}) {
    names.insert(name.substr(0, at) + library + name.substr(at + kAny.size()));
  }
}

// "| `gpus.count`, `.names` | all | … |": a name that starts with a dot takes the room before it.
// "| `kernel.<event>` | all | … (`api-mismatch`, …) |" names its events in the last column.
std::set<std::string> listed() {
  std::set<std::string> names;
  std::string text = read_glossary();
  auto table = text.substr(text.find("| names | scope | what |"));
  for (auto line : lines_of(table)) {
    auto cells = split(line, '|');
    if (cells.size() < 4) continue;
    std::string room;
    for (const auto& word : ticked(cells[1])) {
      bool is_short = word.starts_with('.');
      if (!is_short) room = word.substr(0, word.rfind('.'));
      std::string name = is_short ? room + word : word;
      // The messages are rows of data/paste/messages.csv.
      if (name.starts_with("log.")) continue;
      if (name != "kernel.<event>") {
        add(names, name);
        continue;
      }
      for (const auto& event : ticked(cells[3])) names.insert("kernel." + event);
    }
  }
  return names;
}

// What the probes learn is listed by machine.h.
std::set<std::string> probed() {
  std::set<std::string> names;
  auto take = [&](const char* room, const auto& group) {
    group.each_fact(group, [&](std::string_view name, const auto&) {
      names.insert(std::string(room) + std::string(name));
    });
  };
  take("system.", System());
  take("driver.", Driver());
  take("variables.", Variables());
  take("gpu.", Gpu());
  take("env.", Environment());
  return names;
}

TEST(Glossary, ListsEveryFactOfARule) {
  auto in_glossary = listed(), by_probes = probed();
  std::set<std::string> all;
  for (const char* scope : {"machine", "gpu", "environment", "library", "verdict"}) {
    for (const auto& name : vocabulary(scope)) all.insert(name);
  }
  for (const auto& name : all) {
    if (name.starts_with("log.")) continue;
    EXPECT_TRUE(in_glossary.contains(name) || by_probes.contains(name)) << name;
  }
  for (const auto& name : in_glossary) {
    EXPECT_TRUE(all.contains(name)) << name << " is listed and no fact";
  }
}

}  // namespace
}  // namespace kernelfit
