// SPDX-License-Identifier: Apache-2.0
#include "paste/word_finder.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/text.h"

namespace kernelfit {
namespace {

using Places = std::set<std::pair<std::string, std::size_t>>;

Places found(const WordFinder& finder, std::string_view text) {
  Places out;
  finder.find(text, [&](std::size_t word, std::size_t place) {
    EXPECT_TRUE(out.emplace(finder.words()[word], place).second) << "twice";
  });
  return out;
}

TEST(WordFinder, EveryPlaceOfEveryWordInEitherCase) {
  WordFinder finder({"cuda", "error", "cuda error", "out of memory"});
  EXPECT_EQ(found(finder, "CUDA Error: out of MEMORY"),
            (Places{{"cuda", 0}, {"error", 5}, {"cuda error", 0}, {"out of memory", 12}}));
  EXPECT_EQ(found(finder, "cud"), Places{});
  EXPECT_EQ(found(finder, ""), Places{});
  EXPECT_EQ(found(WordFinder({}), "cuda"), Places{});
  EXPECT_EQ(found(WordFinder({"ab"}), "abab"), Places{}) << "shorter than it looks for";
}

TEST(WordFinder, TheSameAsASearchForEachWord) {
  std::mt19937 random(7);
  auto text_of = [&](std::size_t size) {
    std::string out;
    for (std::size_t i = 0; i < size; ++i) out += "abAB_ "[random() % 6];
    return out;
  };
  for (int round = 0; round < 300; ++round) {
    std::set<std::string> words;
    for (int i = 0; i < 8; ++i) words.insert(lower(text_of(3 + random() % 5)));
    const std::string text = text_of(random() % 200), low = lower(text);
    Places want;
    for (const auto& word : words) {
      for (auto at = low.find(word); at != low.npos; at = low.find(word, at + 1)) {
        want.emplace(word, at);
      }
    }
    EXPECT_EQ(found(WordFinder({words.begin(), words.end()}), text), want) << text;
  }
}

}  // namespace
}  // namespace kernelfit
