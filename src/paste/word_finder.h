// SPDX-License-Identifier: Apache-2.0
// Some hundred words found in a text at once, ASCII letters of either case: the skipping search of
// Wu and Manber (A fast algorithm for multi-pattern searching, TR-94-17, 1994) on three bytes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

class WordFinder {
 public:
  // In lower case, each kBlock bytes or longer; shorter ones are never found.
  explicit WordFinder(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }

  // Calls found(index of the word, place in the text) for each place of each word, in no order.
  template <class Found>
  void find(std::string_view text, Found found) const {
    if (shortest_ == 0 || text.size() < shortest_) return;
    const std::size_t lead = shortest_ - kBlock;
    const char* const bytes = text.data();
    const std::uint8_t* const skips = skip_.data();
    auto step = [&](std::size_t at) {
      const std::size_t slot = slot_of(bytes + at);
      const std::size_t skip = skips[slot];
      if (skip != 0) return at + skip;
      for (std::uint16_t one = first_[slot]; one != kNone; one = next_[one]) {
        const std::size_t before = lead + front_[one];
        if (before <= at && stands(text.substr(at - before), words_[one])) {
          found(std::size_t{one}, at - before);
        }
      }
      return at + 1;
    };
    // A step waits for the one before it: quarters of a text that do not wait for each other are
    // three times as fast.
    const std::size_t end = text.size() - kBlock + 1, quarter = (end - lead) / 4;
    std::size_t a = lead, b = a + quarter, c = b + quarter, d = c + quarter;
    const std::size_t a_end = b, b_end = c, c_end = d;
    while (a < a_end && b < b_end && c < c_end && d < end) {
      a = step(a), b = step(b), c = step(c), d = step(d);
    }
    while (a < a_end) a = step(a);
    while (b < b_end) b = step(b);
    while (c < c_end) c = step(c);
    while (d < end) d = step(d);
  }

 private:
  static constexpr std::size_t kBlock = 3;
  static constexpr unsigned kSlotBits = 15;
  static constexpr std::uint16_t kNone = 0xFFFF;

  static std::size_t slot_of(const char* at) {
    auto folded = [](char c) { return static_cast<unsigned char>(c) | 0x20U; };
    return (folded(at[0]) ^ folded(at[1]) << 5U ^ folded(at[2]) << 10U) & ((1U << kSlotBits) - 1);
  }
  std::size_t rarest_part(const std::string& word) const;
  static bool stands(std::string_view text, std::string_view word);

  std::vector<std::string> words_;
  std::size_t shortest_ = 0;
  // Of each word a part of that length is looked for.
  std::vector<std::size_t> front_;    // by word: bytes before the part
  std::vector<std::uint8_t> skip_;    // by slot: no part ends within so many bytes
  std::vector<std::uint16_t> first_;  // by slot: the first word whose part ends in it
  std::vector<std::uint16_t> next_;   // by word
};

}  // namespace kernelfit
