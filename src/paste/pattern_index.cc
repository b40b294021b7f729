// SPDX-License-Identifier: Apache-2.0
#include "paste/pattern_index.h"

#include <algorithm>
#include <unordered_map>

namespace kernelfit {

struct PatternIndex::Collected {
  explicit Collected(const std::vector<std::string_view>& patterns) {
    for (std::size_t row = 0; row < patterns.size(); ++row) {
      for (Needs& needs : needs_of(patterns[row])) {
        Alternative one{row, {}, {}, std::move(needs.phrase)};
        if (const AnyOf* key = rarest(needs.words)) one.key = numbers(*key);
        for (const AnyOf& any : needs.words) {
          if (auto list = numbers(any); !list.empty()) one.needs.push_back(std::move(list));
        }
        alternatives.push_back(std::move(one));
      }
    }
  }

  // None of a list is left out: when there are too many words, the list asks for nothing.
  std::vector<std::uint16_t> numbers(const AnyOf& any) {
    std::vector<std::uint16_t> out;
    for (const auto& word : any) {
      auto found = number.find(word);
      if (found == number.end()) {
        if (words.size() == kMaximumWords) return {};
        found = number.emplace(word, static_cast<std::uint16_t>(words.size())).first;
        words.push_back(word);
      }
      out.push_back(found->second);
    }
    return out;
  }

  std::vector<std::string> words;
  std::unordered_map<std::string, std::uint16_t> number;
  std::vector<Alternative> alternatives;
};

PatternIndex::PatternIndex(const std::vector<std::string_view>& patterns)
    : PatternIndex(Collected(patterns)) {}

PatternIndex::PatternIndex(Collected collected)
    : finder_(std::move(collected.words)), alternatives_(std::move(collected.alternatives)) {
  by_key_.resize(finder_.words().size());
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    if (alternatives_[i].key.empty()) always_.push_back(i);
    for (auto word : alternatives_[i].key) by_key_[word].push_back(i);
  }
}

PatternIndex::Words PatternIndex::words_in(std::string_view text) const {
  Words out;
  finder_.find(text,
               [&](std::size_t word, std::size_t) { out.add(static_cast<std::uint16_t>(word)); });
  return out;
}

bool PatternIndex::holds(const Alternative& one, const Words& words) {
  return std::all_of(one.needs.begin(), one.needs.end(), [&](const auto& any) {
    return std::any_of(any.begin(), any.end(), [&](auto word) { return words.has(word); });
  });
}

std::vector<std::size_t> PatternIndex::possible(const Words& words, bool wordless) const {
  std::vector<std::size_t> out;
  auto try_all = [&](const std::vector<std::size_t>& some) {
    for (std::size_t i : some) {
      if (holds(alternatives_[i], words)) out.push_back(alternatives_[i].pattern);
    }
  };
  if (wordless) try_all(always_);
  for (auto word : words.list()) try_all(by_key_[word]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace kernelfit
