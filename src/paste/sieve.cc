// SPDX-License-Identifier: Apache-2.0
#include "paste/sieve.h"

#include <algorithm>
#include <map>

#include "paste/clean.h"
#include "paste/messages.h"

namespace kernelfit {
namespace {

// A word that is shorter is in too many lines, and would slow the search for all.
constexpr std::size_t kShortestKey = 7;

// The texts to look for, and for each the alternatives it is the key of.
struct Keys {
  std::vector<std::string> texts;
  std::vector<std::vector<std::size_t>> alternatives;
};

Keys keys_of(const PatternIndex& index) {
  std::map<std::string, std::vector<std::size_t>> by_text;
  for (std::size_t i = 0; i < index.alternatives().size(); ++i) {
    const AnyOf& phrase = index.alternatives()[i].phrase;
    if (shortest(phrase) < kShortestKey) continue;
    for (const auto& text : phrase) by_text[text].push_back(i);
  }
  Keys out;
  for (auto& [text, alternatives] : by_text) {
    out.texts.push_back(text);
    out.alternatives.push_back(std::move(alternatives));
  }
  return out;
}

}  // namespace

Sieve::Sieve(SievePatterns& patterns)
    : patterns_(patterns),
      index_(patterns.patterns()),
      keys_({}),
      tries_(patterns.patterns().size()) {
  Keys keys = keys_of(index_);
  keys_ = WordFinder(std::move(keys.texts));
  by_key_ = std::move(keys.alternatives);
}

void Sieve::squeeze(std::string_view text) {
  text_.clear();
  starts_.clear();
  places_.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    starts_.push_back(text_.size());
    places_.push_back(at);
    std::string_view line = text.substr(at, std::min(end - at, kMaximumPasteLine));
    if (line.ends_with('\r')) line.remove_suffix(1);
    text_ += line;
    at = end + 1;
  }
  starts_.push_back(text_.size());
  places_.push_back(text.size());
}

PatternIndex::Words Sieve::words_of(std::size_t from, std::size_t to) const {
  return index_.words_in(
      std::string_view(text_).substr(starts_[from], starts_[to] - starts_[from]));
}

// Whether the words of an alternative stand near its key. A message may begin some lines before it
// and end some lines behind it; of a key that comes again and again, only its own line counts.
bool Sieve::speaks(const PatternIndex::Alternative& one, std::size_t line) {
  constexpr int kNearby = 256;
  if (++tries_[one.pattern] <= kNearby) {
    const std::size_t from = line - std::min(line, kJoinedLines - 1);
    return PatternIndex::holds(one, words_of(from, std::min(lines(), line + kJoinedLines)));
  }
  if (line != line_) words_ = words_of(line_ = line, line + 1);
  if (!PatternIndex::holds(one, words_)) return false;
  return patterns_.matches(one.pattern, clean_line(std::string_view(text_).substr(
                                            starts_[line], starts_[line + 1] - starts_[line])));
}

std::vector<bool> Sieve::marked() {
  std::vector<bool> out(lines());
  line_ = lines();
  keys_.find(text_, [&](std::size_t key, std::size_t place) {
    const auto behind = std::upper_bound(starts_.begin(), starts_.end(), place);
    const auto line = static_cast<std::size_t>(behind - starts_.begin()) - 1;
    if (out[line]) return;
    for (std::size_t i : by_key_[key]) {
      const auto& one = index_.alternatives()[i];
      if (!patterns_.wanted(one.pattern) || !speaks(one, line)) continue;
      out[line] = true;
      return;
    }
  });
  return out;
}

Sifted Sieve::sift(std::string_view text, bool last) {
  squeeze(text);
  const std::size_t until = last ? lines() : lines() - std::min(lines(), kContext);
  std::size_t done = std::min(ahead_, until);  // lines before it are in a range or skipped
  ahead_ -= done;
  Sifted out;
  if (done > 0) out.ranges.push_back({0, places_[done], 0});
  const std::vector<bool> marks = marked();
  for (std::size_t line = 0; line < marks.size(); ++line) {
    if (!marks[line]) continue;
    const std::size_t begin = std::max(done, line - std::min(line, kContext));
    const std::size_t end = std::min(until, line + kContext + 1);
    if (line < until) ahead_ = std::max(ahead_, line + kContext + 1 - end);
    if (begin >= end) continue;
    if (begin == done && !out.ranges.empty()) {
      out.ranges.back().end = places_[end];
    } else {
      out.ranges.push_back({places_[begin], places_[end], static_cast<int>(begin - done)});
    }
    done = end;
  }
  out.skipped = static_cast<int>(until - done);
  out.decided = places_[until];
  return out;
}

}  // namespace kernelfit
