// SPDX-License-Identifier: Apache-2.0
// What holds for every text of data/messages/, in every language.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/embedded.h"
#include "message/message.h"

namespace kernelfit {
namespace {

constexpr std::string_view kFolder = "messages/";

// The names in braces: "{version}" -> "version". `{{` is a brace.
std::set<std::string> placeholders(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') continue;
    if (text.substr(at).starts_with("{{")) {
      ++at;
      continue;
    }
    auto end = text.find('}', at);
    out.insert(std::string(text.substr(at + 1, end - at - 1)));
  }
  return out;
}

TEST(MessageLaws, EnglishAndChineseAreThere) {
  EXPECT_EQ(languages(), (std::vector<std::string>{"en", "zh"}));
}

TEST(MessageLaws, EveryFileReads) {
  std::map<std::string, Catalogue> by_language;
  for (const auto& file : embedded_files()) {
    if (!file.path.starts_with(kFolder)) continue;
    auto rest = file.path.substr(kFolder.size());
    auto language = std::string(rest.substr(0, rest.find('/')));
    auto& catalogue = by_language.try_emplace(language, language).first->second;
    auto status = catalogue.add(file.text);  // also refuses a key of another file
    EXPECT_TRUE(status) << file.path << ": " << status.error().text();
  }
}

// A room's file holds that room's keys: judge.txt has judge.reason.native.
TEST(MessageLaws, KeysBeginWithTheNameOfTheirFile) {
  for (const auto& file : embedded_files()) {
    if (!file.path.starts_with(kFolder)) continue;
    auto name = file.path.substr(file.path.rfind('/') + 1);
    auto room = std::string(name.substr(0, name.rfind('.'))) + ".";
    Catalogue catalogue;
    auto status = catalogue.add(file.text);
    for (auto key : catalogue.keys()) {
      EXPECT_TRUE(key.starts_with(room)) << file.path << ": " << key;
    }
  }
}

TEST(MessageLaws, AllLanguagesHoldTheSameKeysAndPlaceholders) {
  Catalogue english = load_catalogue("en");
  for (const auto& language : languages()) {
    Catalogue other = load_catalogue(language);
    for (auto key : other.keys()) {
      EXPECT_TRUE(english.has(key)) << language << " has " << key << ", English has not";
    }
    for (auto key : english.keys()) {
      EXPECT_TRUE(other.has(key)) << language << " lacks " << key;
      if (!other.has(key)) continue;
      EXPECT_EQ(placeholders(other.raw(key)), placeholders(english.raw(key)))
          << language << " " << key;
    }
  }
}

// docs/voice.md: no empty text, no exclamation mark, no apology, no "please".
TEST(MessageLaws, TextsKeepTheVoice) {
  for (const auto& language : languages()) {
    Catalogue catalogue = load_catalogue(language);
    for (auto key : catalogue.keys()) {
      auto text = catalogue.raw(key);
      EXPECT_FALSE(text.empty()) << language << " " << key;
      EXPECT_EQ(printable(text), text) << language << " " << key;
      std::string small = lower(text);
      for (const char* word : {"!", "！", "please", "sorry", "oops", "抱歉", "对不起"}) {
        // "!=" is Python and "<!--" is Markdown, not emotion.
        bool there = contains(replace_all(replace_all(small, "!=", ""), "<!--", ""), word);
        EXPECT_FALSE(there) << language << " " << key << " says " << word;
      }
    }
  }
}

// The same in both languages only where nothing is to translate: a name, a command, a symbol.
TEST(MessageLaws, ChineseIsChinese) {
  Catalogue english = load_catalogue("en"), chinese = load_catalogue("zh");
  for (auto key : english.keys()) {
    if (chinese.raw(key) == english.raw(key)) {
      EXPECT_LT(split_words(english.raw(key)).size(), 4u) << key;
    }
  }
}

}  // namespace
}  // namespace kernelfit
