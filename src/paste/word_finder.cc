// SPDX-License-Identifier: Apache-2.0
#include "paste/word_finder.h"

#include <algorithm>

namespace kernelfit {
namespace {

// In what programs print, of a hundred characters about.
double commonness(char c) {
  if (std::string_view("aeinorst ").find(c) != std::string_view::npos) return 8;
  if (std::string_view("cdglmpu").find(c) != std::string_view::npos) return 4;
  return c >= 'a' && c <= 'z' ? 1.5 : 1;
}

}  // namespace

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
  front_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& word = words_[i];
    if (word.size() < kBlock) continue;
    front_[i] = rarest_part(word);
    const char* part = word.data() + front_[i];
    for (std::size_t at = 0; at <= last; ++at) {
      std::uint8_t& skip = skip_[slot_of(part + at)];
      skip = static_cast<std::uint8_t>(std::min<std::size_t>(skip, last - at));
    }
    std::uint16_t& first = first_[slot_of(part + last)];
    next_[i] = first;
    first = static_cast<std::uint16_t>(i);
  }
}

// Where the part begins that stops the search least: rare letters, and blocks that other words have
// already.
std::size_t WordFinder::rarest_part(const std::string& word) const {
  const std::size_t last = shortest_ - kBlock;
  std::size_t best = 0;
  double least = 0;
  for (std::size_t front = 0; front + shortest_ <= word.size(); ++front) {
    double cost = 0;
    for (std::size_t at = 0; at <= last; ++at) {
      const char* block = word.data() + front + at;
      const std::size_t skip = last - at, known = skip_[slot_of(block)];
      double common = known > skip ? static_cast<double>(known - skip) : 0;
      if (skip == 0) common += 4;  // the word is compared then
      for (std::size_t k = 0; k < kBlock; ++k) common *= commonness(block[k]);
      cost += common;
    }
    if (front == 0 || cost < least) least = cost, best = front;
  }
  return best;
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
