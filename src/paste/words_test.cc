// SPDX-License-Identifier: Apache-2.0
#include "paste/words.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "base/text.h"
#include "knowledge/knowledge.h"

namespace kernelfit {
namespace {

// "a|b & c  or  d": lists with |, all of them with &, alternatives with or.
std::string words(std::string_view pattern) {
  std::vector<std::string> alternatives;
  for (const auto& one : needs_of(pattern)) {
    std::vector<std::string> all;
    for (const auto& any : one.words) all.push_back(join(any, "|"));
    alternatives.push_back(join(all, " & "));
  }
  return join(alternatives, "  or  ");
}

std::string phrases(std::string_view pattern) {
  std::vector<std::string> out;
  for (const auto& one : needs_of(pattern)) out.push_back(join(one.phrase, "|"));
  return join(out, "  or  ");
}

TEST(NeedsOf, WordsThatMustStandThere) {
  EXPECT_EQ(words("No CUDA GPUs are available"), "cuda & gpus & are & available");
  EXPECT_EQ(words("error|Fatal"), "error  or  fatal");
  EXPECT_EQ(words("(?:error|Fatal): x"), "error|fatal");
  EXPECT_EQ(words("(?P<who>foo) and (?i:BAR)"), "foo & and & bar");
  EXPECT_EQ(words("[Tt]he cuda"), "the & cuda");
  EXPECT_EQ(words(R"(\bsm_(?P<cc>\d+)\.(?:out|in))"), "sm_ & out  or  sm_") << "in is too short";
}

TEST(NeedsOf, WhatMayBeMissingIsNotNeeded) {
  EXPECT_EQ(words("GPUs? lost"), "gpu & lost");
  EXPECT_EQ(words("(?:very )?bad"), "bad");
  EXPECT_EQ(words("(?:very )*bad"), "bad");
  EXPECT_EQ(words("(?:very ){0,3}bad"), "bad");
  EXPECT_EQ(words("(?:very ){1,3}bad"), "very & bad");
  EXPECT_EQ(words("(?:very )+bad"), "very & bad");
  EXPECT_EQ(words("(?:one|)two"), "one & two  or  two");
  EXPECT_EQ(words("abc+d"), "abc");
  EXPECT_EQ(words("[abc]def"), "def");
  EXPECT_EQ(words(R"(\d+)"), "");
}

TEST(NeedsOf, OfWhatIsNotUnderstoodNothingIsNeeded) {
  for (const char* pattern : {R"(\pLerror)", R"(\Qerror\E)", "error)", "(error", "[error", "a\\"}) {
    EXPECT_EQ(words(pattern), "") << pattern;
  }
  EXPECT_EQ(words(std::string(200, '(') + "error" + std::string(200, ')')), "");
}

TEST(NeedsOf, PhrasesEndAtQuotes) {
  EXPECT_EQ(phrases("CUDA out of memory"), "cuda out of memory");
  EXPECT_EQ(phrases(R"(device driver "nvidia" with)"), "device driver");
  EXPECT_EQ(phrases("(?:has fallen off|is lost)"), "has fallen off  or  is lost");
}

// The rule for all tables: an example that a pattern finds holds what the pattern needs.
TEST(NeedsOf, EveryExampleHoldsThem) {
  const Knowledge known = Knowledge::embedded();
  for (const char* path : {"paste/messages.csv", "paste/facts.csv"}) {
    const Csv& table = known.table(path);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const re2::RE2 pattern{std::string(table.cell(row, "pattern"))};
      const std::string example(table.cell(row, "example"));
      re2::StringPiece match;
      if (!pattern.Match(example, 0, example.size(), re2::RE2::UNANCHORED, &match, 1)) continue;
      const std::string text = lower({match.data(), match.size()});
      auto holds = [&](const AnyOf& any) {
        return std::any_of(any.begin(), any.end(), [&](auto& one) { return contains(text, one); });
      };
      bool one_holds = false;
      for (const auto& needs : needs_of(table.cell(row, "pattern"))) {
        one_holds = one_holds || (std::all_of(needs.words.begin(), needs.words.end(), holds) &&
                                  (needs.phrase.empty() || holds(needs.phrase)));
      }
      EXPECT_TRUE(one_holds) << path << ":" << table.line(row) << ": " << text;
    }
  }
}

}  // namespace
}  // namespace kernelfit
