// SPDX-License-Identifier: Apache-2.0
#include "judge/names.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr auto kFilling = std::to_array<std::string_view>(
    {"nvidia", "corporation", "gpu", "graphics", "card", "generation", "with", "design", "geforce",
     "the", "edition", "processor", "device", "r", "tm"});
// Brands and families that people leave out, outermost first.
constexpr auto kBrands = std::to_array<std::string_view>({"tesla", "quadro", "grid", "jetson"});
constexpr auto kFamilies = std::to_array<std::string_view>({"rtx", "gtx", "gts", "gt"});

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z');
}

// "48q", "10c": the profile of a vGPU.
bool is_vgpu_profile(std::string_view word) {
  return word.size() >= 2 && word.size() <= 4 && contains("abcq", word.substr(word.size() - 1)) &&
         std::all_of(word.begin(), word.end() - 1, is_digit);
}

bool is_memory(std::string_view word) {
  return word.size() >= 3 && word.ends_with("gb") &&
         std::all_of(word.begin(), word.end() - 2, is_digit);
}

std::vector<std::string> raw_words(std::string_view name) {
  std::string text = lower(name);
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (is_word_char(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

// "geforcertx3090" and "nvidiartx3090", written in one.
void strip_glued(std::string& word) {
  for (std::string_view maker : {"nvidia", "geforce"}) {
    if (word.starts_with(maker)) word.erase(0, maker.size());
  }
}

template <std::size_t n>
std::string without_prefixes(std::string key, const std::array<std::string_view, n>& prefixes) {
  for (auto prefix : prefixes) {
    if (key.starts_with(prefix) && key.size() > prefix.size()) key.erase(0, prefix.size());
  }
  return key;
}

std::string joined(const std::vector<std::string>& words) {
  return join(words, "");
}

// What is compared, from the name as it is to the bare number: "quadrortx4000", "rtx4000", "4000".
std::array<std::string, 3> keys_of(const std::string& key) {
  auto brandless = without_prefixes(key, kBrands);
  return {key, brandless, without_prefixes(brandless, kFamilies)};
}

struct Named {
  const GpuProduct* row;
  std::vector<std::string> words;
};

std::vector<Named> named_products(const Knowledge& knowledge) {
  std::vector<Named> out;
  for (const auto& row : knowledge.products()) out.push_back({&row, name_words(row.name)});
  return out;
}

// Exactly the key at this depth of stripping.
std::vector<const GpuProduct*> exact(const std::vector<Named>& all, const std::string& key,
                                     std::size_t depth) {
  std::vector<const GpuProduct*> rows;
  for (const auto& one : all) {
    if (keys_of(joined(one.words))[depth] == key) rows.push_back(one.row);
  }
  return rows;
}

// The first words of a longer name: "a100" of "A100-SXM4-40GB", not of "A1000".
std::vector<const GpuProduct*> beginnings(const std::vector<Named>& all, const std::string& key,
                                          std::size_t depth) {
  std::vector<const GpuProduct*> rows;
  for (const auto& one : all) {
    for (std::size_t count = 1; count < one.words.size(); ++count) {
      auto begin = joined({one.words.begin(), one.words.begin() + static_cast<long>(count)});
      if (keys_of(begin)[depth] == key) {
        rows.push_back(one.row);
        break;
      }
    }
  }
  return rows;
}

bool all_letters(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), is_digit);
}

// The usual name of cards that differ by a letter: "teslak40" of "Tesla K40c" and "Tesla K40m".
// The number is whole, so that "rtx309" is not RTX 3090; a bare number is no name.
std::vector<const GpuProduct*> with_letters(const std::vector<Named>& all, const std::string& key,
                                            std::size_t depth) {
  std::vector<const GpuProduct*> rows;
  if (is_digit(key.front()) || !is_digit(key.back())) return rows;
  for (const auto& one : all) {
    const std::string whole = keys_of(joined(one.words))[depth];
    if (whole.starts_with(key) && all_letters(std::string_view(whole).substr(key.size())))
      rows.push_back(one.row);
  }
  return rows;
}

bool one_name(const std::vector<const GpuProduct*>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](auto* row) { return row->name == rows.front()->name; });
}
bool one_capability(const std::vector<const GpuProduct*>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](auto* row) { return row->capability == rows.front()->capability; });
}

bool one_last_branch(const std::vector<const GpuProduct*>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](auto* row) {
    return row->last_driver_branch == rows.front()->last_driver_branch;
  });
}

NameMatch settled(std::vector<const GpuProduct*> rows) {
  NameMatch match;
  if (rows.empty() || one_name(rows) || (one_capability(rows) && one_last_branch(rows))) {
    match.rows = std::move(rows);
    return match;
  }
  std::set<std::string_view> names;
  for (auto* row : rows) names.insert(row->name);
  match.also.assign(names.begin(), names.end());
  match.rows = std::move(rows);
  return match;
}

// "RTX 6000" may be Turing's or Ada's: a longer name that goes on with a generation counts too.
void add_generations(std::vector<const GpuProduct*>& rows, const std::vector<Named>& all,
                     const std::string& key, std::size_t depth) {
  for (auto* row : beginnings(all, key, depth)) {
    auto rest = lower(row->name);
    if (contains(rest, " ada ") || contains(rest, " blackwell") || contains(rest, "(pascal)"))
      rows.push_back(row);
  }
}

// "4000" alone is Quadro 4000 as much as Quadro RTX 4000; "rtx4000" is not.
std::vector<const GpuProduct*> shortened(const std::vector<Named>& all,
                                         const std::array<std::string, 3>& keys) {
  std::vector<const GpuProduct*> rows;
  for (std::size_t depth = 1; depth < 3; ++depth) {
    const auto& key = depth == 1 ? keys[1] : keys[0];
    for (auto* row : exact(all, key, depth)) rows.push_back(row);
    if (!rows.empty()) add_generations(rows, all, key, depth);
    if (!rows.empty() && !is_digit(keys[0][0])) break;
  }
  return rows;
}

NameMatch match_words(const std::vector<Named>& all, const std::vector<std::string>& words) {
  auto keys = keys_of(joined(words));
  auto rows = exact(all, keys[0], 0);
  if (!rows.empty()) return {std::move(rows), {}};
  rows = shortened(all, keys);
  for (std::size_t depth = 0; depth < 3 && rows.empty(); ++depth) {
    rows = beginnings(all, depth == 1 ? keys[1] : keys[0], depth);
  }
  for (std::size_t depth = 0; depth < 3 && rows.empty(); ++depth) {
    rows = with_letters(all, depth == 1 ? keys[1] : keys[0], depth);
  }
  return settled(std::move(rows));
}

// Words that a name can do without when nothing is called so with them.
bool may_go(std::string_view word) {
  return word == "laptop" || word == "maxq" || is_memory(word) || word == "pcie" ||
         word.starts_with("sxm") || word.starts_with("hbm");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words;
  for (auto& word : raw_words(name)) {
    if (word == "mig") break;
    if (std::find(kFilling.begin(), kFilling.end(), word) != kFilling.end()) continue;
    if (word == "mobile" || word == "notebook") word = "laptop";
    if (word == "q" && !words.empty() && words.back() == "max") {
      words.back() = "maxq";
      continue;
    }
    if (words.empty()) strip_glued(word);
    if (!word.empty()) words.push_back(std::move(word));
  }
  if (words.size() > 1 && is_vgpu_profile(words.back())) words.pop_back();
  return words;
}

NameMatch match_name(std::string_view name, const Knowledge& knowledge) {
  auto words = name_words(name.substr(0, 120));
  if (words.empty()) return {};
  auto all = named_products(knowledge);
  auto match = match_words(all, words);
  while (match.rows.empty() && match.also.empty()) {
    auto last = std::find_if(words.rbegin(), words.rend(), may_go);
    if (last == words.rend() || words.size() == 1) break;
    words.erase(std::next(last).base());
    match = match_words(all, words);
  }
  return match;
}

std::vector<std::string_view> nearest_names(std::string_view name, const Knowledge& knowledge,
                                            std::size_t count) {
  auto key = joined(name_words(name.substr(0, 60)));
  std::set<std::pair<std::size_t, std::string_view>> ranked;
  for (const auto& row : knowledge.products()) {
    if (row.form == "internal") continue;
    std::size_t distance = edit_distance(key, joined(name_words(row.name)));
    if (distance <= 1 + key.size() / 3) ranked.insert({distance, row.name});
  }
  std::vector<std::string_view> out;
  for (const auto& [distance, text] : ranked) {
    if (out.size() < count) out.push_back(text);
  }
  return out;
}

}  // namespace kernelfit
