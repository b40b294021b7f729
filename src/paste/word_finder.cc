// SPDX-License-Identifier: Apache-2.0
#include "paste/word_finder.h"

#include <algorithm>

namespace kernelfit {

WordFinder::WordFinder(std::vector<std::string> words) : words_(std::move(words)) {
  constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  const std::size_t count = std::min<std::size_t>(words_.size(), kNone);
  for (const auto& word : words_) {
    if (word.size() < kBlock) continue;
    shortest_ = shortest_ == 0 ? word.size() : std::min(shortest_, word.size());
  }
  if (shortest_ == 0) return;
  const std::size_t last = shortest_ - kBlock;
  skip_.assign(kSlots, static_cast<std::uint8_t>(std::min<std::size_t>(last + 1, 255)));
  first_.assign(kSlots, kNone);
  next_.assign(count, kNone);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& word = words_[i];
    if (word.size() < kBlock) continue;
    for (std::size_t at = 0; at <= last; ++at) {
      std::uint8_t& skip = skip_[slot_of(word.data() + at)];
      skip = static_cast<std::uint8_t>(std::min<std::size_t>(skip, last - at));
    }
    std::uint16_t& first = first_[slot_of(word.data() + last)];
    next_[i] = first;
    first = static_cast<std::uint16_t>(i);
  }
}

bool WordFinder::stands(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = text[i];
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    if (low != word[i]) return false;
  }
  return true;
}

}  // namespace kernelfit
