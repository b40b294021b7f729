// SPDX-License-Identifier: Apache-2.0
// rule_pages DIR [--update]: are the pages of docs/rules what the rules and messages of data/ say?
// --update writes them.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "report/rule_pages.h"

namespace fs = std::filesystem;

static std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

int main(int count, char** words) {
  if (count < 2) return 2;
  const fs::path root = words[1];
  const bool update = count > 2 && std::string_view(words[2]) == "--update";
  const auto knowledge = kernelfit::Knowledge::embedded();
  std::vector<std::string> problems;
  const auto rules = kernelfit::load_rules(knowledge, problems);
  std::set<std::string> expected;
  int faults = 0;
  for (const auto& page : kernelfit::rule_documents(rules, knowledge)) {
    expected.insert(page.path);
    if (read(root / page.path) == page.text) continue;
    ++faults;
    if (update)
      write(root / page.path, page.text);
    else
      std::printf("%s is not what the rules say\n", page.path.c_str());
  }
  if (!fs::exists(root)) return 1;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto path = fs::relative(entry.path(), root).generic_string();
    if (!entry.is_regular_file() || expected.contains(path)) continue;
    ++faults;
    if (update)
      fs::remove(entry.path());
    else
      std::printf("%s belongs to no rule\n", path.c_str());
  }
  std::printf("%zu pages, %d %s\n", expected.size(), faults, update ? "written" : "faults");
  return faults != 0 && !update ? 1 : 0;
}
