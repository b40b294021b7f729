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

  // Calls found(index of the word, place in the text) for each place of each word, by place.
  template <class Found>
  void find(std::string_view text, Found found) const {
    if (shortest_ == 0) return;
    const std::size_t lead = shortest_ - kBlock;
    for (std::size_t at = lead; at + kBlock <= text.size();) {
      const std::size_t slot = slot_of(text.data() + at);
      if (const std::uint8_t skip = skip_[slot]; skip != 0) {
        at += skip;
        continue;
      }
      for (std::uint16_t one = first_[slot]; one != kNone; one = next_[one]) {
        if (stands(text.substr(at - lead), words_[one])) found(std::size_t{one}, at - lead);
      }
      ++at;
    }
  }

 private:
  static constexpr std::size_t kBlock = 3;
  static constexpr unsigned kSlotBits = 15;
  static constexpr std::uint16_t kNone = 0xFFFF;

  static std::size_t slot_of(const char* at) {
    auto folded = [](char c) { return static_cast<unsigned char>(c) | 0x20U; };
    return (folded(at[0]) ^ folded(at[1]) << 5U ^ folded(at[2]) << 10U) & ((1U << kSlotBits) - 1);
  }
  static bool stands(std::string_view text, std::string_view word);

  std::vector<std::string> words_;
  std::size_t shortest_ = 0;
  std::vector<std::uint8_t> skip_;    // by slot: no word ends its front part within so many bytes
  std::vector<std::uint16_t> first_;  // by slot: the first word whose front part ends in it
  std::vector<std::uint16_t> next_;   // by word
};

}  // namespace kernelfit
