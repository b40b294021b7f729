// SPDX-License-Identifier: Apache-2.0
// Every key of the catalogue that the code of report and cli names is there, in every language.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "judge/verdict.h"
#include "message/message.h"
#include "solve/solve.h"

namespace kernelfit {
namespace {

namespace fs = std::filesystem;

void collect_keys(const std::string& source, const std::string& prefix,
                  std::set<std::string>& keys) {
  std::string opening = "\"" + prefix;
  for (auto at = source.find(opening); at != std::string::npos; at = source.find(opening, at + 1)) {
    auto end = source.find('"', at + 1);
    std::string key = source.substr(at + 1, end - at - 1);
    bool whole =
        key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos;
    if (whole && key.back() != '.' && key.back() != '-') keys.insert(key);
  }
}

std::set<std::string> keys_in(const std::string& room) {
  std::set<std::string> keys;
  for (const auto& entry : fs::directory_iterator(fs::path(KF_TESTS_DIR) / ".." / "src" / room)) {
    std::string name = entry.path().filename().string();
    if (!name.ends_with(".cc") || name.ends_with("_test.cc")) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    collect_keys(text, "report.", keys);
    collect_keys(text, "cli.", keys);
  }
  return keys;
}

TEST(Keys, NamedInTheCodeAreInEveryLanguage) {
  for (const auto& language : languages()) {
    Catalogue say = load_catalogue(language);
    for (const char* room : {"report", "cli"}) {
      auto keys = keys_in(room);
      EXPECT_GT(keys.size(), 20u) << room;
      for (const auto& key : keys) EXPECT_TRUE(say.has(key)) << language << " " << key;
    }
  }
}

TEST(Keys, EveryWordOfTheContractHasItsPhrase) {
  for (const auto& language : languages()) {
    Catalogue say = load_catalogue(language);
    for (int i = 0; i <= static_cast<int>(Verdict::unknown); ++i) {
      std::string verdict(text_of(static_cast<Verdict>(i)));
      EXPECT_TRUE(say.has("report.verdict." + verdict)) << language << " " << verdict;
    }
    for (int i = 0; i <= static_cast<int>(PlanVerdict::no_build); ++i) {
      std::string verdict(text_of(static_cast<PlanVerdict>(i)));
      EXPECT_TRUE(say.has("report.plan." + verdict)) << language << " " << verdict;
      if (verdict != "ask" && verdict != "no-build") {
        EXPECT_TRUE(say.has("report.plan." + verdict + "-only")) << language << " " << verdict;
      }
    }
  }
}

}  // namespace
}  // namespace kernelfit
