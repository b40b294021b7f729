// SPDX-License-Identifier: Apache-2.0
// Of a long text only the lines near such words as a message needs are worth cleaning: this finds
// them in raw text, about as fast as it is read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "paste/pattern_index.h"

namespace kernelfit {

struct LineRange {
  std::size_t begin = 0, end = 0;  // bytes: whole lines
  int skipped = 0;                 // lines between the range before and this one
};

struct Sifted {
  std::vector<LineRange> ranges;
  int skipped = 0;          // lines behind the last range
  std::size_t decided = 0;  // bytes; what follows comes again with the next text
};

// What is looked for: of these patterns those that hold a text of some length.
class SievePatterns {
 public:
  virtual ~SievePatterns() = default;
  virtual std::vector<std::string_view> patterns() const = 0;
  virtual bool wanted(std::size_t pattern) = 0;  // still
  virtual bool matches(std::size_t pattern, const std::string& line) = 0;
};

class Sieve {
 public:
  // Lines before and behind a word that are taken with it.
  static constexpr std::size_t kContext = 8;

  explicit Sieve(SievePatterns& patterns);

  // Of whole lines, those that may say something. The last ones are decided with what follows,
  // unless this is the `last` text.
  Sifted sift(std::string_view text, bool last);

 private:
  void squeeze(std::string_view text);
  std::vector<bool> marked();
  bool speaks(const PatternIndex::Alternative& one, std::size_t line);
  PatternIndex::Words words_of(std::size_t from, std::size_t to) const;
  std::size_t lines() const { return places_.size() - 1; }

  SievePatterns& patterns_;
  PatternIndex index_;
  WordFinder keys_;
  std::vector<std::vector<std::size_t>> by_key_;  // alternatives of the index
  std::vector<int> tries_;                        // by pattern: places of its key
  // The text without its line ends: a terminal breaks within a word.
  std::string text_;
  std::vector<std::size_t> starts_, places_;  // of each line in text_, and in what was given
  std::size_t ahead_ = 0;                     // lines of the next text that belong to a word before
  std::size_t line_ = 0;                      // whose words are `words_`
  PatternIndex::Words words_;
};

}  // namespace kernelfit
