// SPDX-License-Identifier: Apache-2.0
// Which of many patterns may match in a text, told by the words in it, before any is compiled.
#pragma once
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paste/word_finder.h"
#include "paste/words.h"

namespace kernelfit {

class PatternIndex {
 public:
  static constexpr std::size_t kMaximumWords = 2048;
  // Words by their index.
  class Words {
   public:
    void add(std::uint16_t word) {
      if (!has_.test(word)) list_.push_back(word);
      has_.set(word);
    }
    void add(const Words& more) {
      for (auto word : more.list_) add(word);
    }
    bool has(std::uint16_t word) const { return has_.test(word); }
    const std::vector<std::uint16_t>& list() const { return list_; }

   private:
    std::bitset<kMaximumWords> has_;
    std::vector<std::uint16_t> list_;
  };

  explicit PatternIndex(const std::vector<std::string_view>& patterns);

  Words words_in(std::string_view text) const;
  // In rising order: the patterns all of whose words are there, and with `wordless` those that need
  // none.
  std::vector<std::size_t> possible(const Words& words, bool wordless) const;

  // One alternative of a pattern.
  struct Alternative {
    std::size_t pattern = 0;
    std::vector<std::vector<std::uint16_t>> needs;  // of each list one word
    std::vector<std::uint16_t> key;                 // the rarest of these lists
    AnyOf phrase;                                   // one of these stands in the text
  };
  const std::vector<Alternative>& alternatives() const { return alternatives_; }
  const std::vector<std::string>& words() const { return finder_.words(); }
  static bool holds(const Alternative& one, const Words& words);

 private:
  struct Collected;
  explicit PatternIndex(Collected collected);

  WordFinder finder_;
  std::vector<Alternative> alternatives_;
  std::vector<std::vector<std::size_t>> by_key_;  // by word: alternatives whose key holds it
  std::vector<std::size_t> always_;               // alternatives without a key
};

}  // namespace kernelfit
