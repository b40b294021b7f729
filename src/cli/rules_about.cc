// SPDX-License-Identifier: Apache-2.0
#include "cli/rules_about.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "paste/paste.h"
#include "report/rule_text.h"

namespace kernelfit::cli {
namespace {

constexpr std::string_view kUndecided = "insufficient-information";

std::set<std::string> messages_in(const std::string& words, const Knowledge& knowledge) {
  std::set<std::string> out;
  PasteReader paste(knowledge);
  paste.feed(words);
  for (const auto& event : paste.finish().machine.log) out.insert(event.id);
  return out;
}

std::string all_words_of(const Rule& rule, const Knowledge& knowledge) {
  std::string all = rule.name;
  for (const auto& [language, text] : rule.texts) {
    all += " " + text.title + " " + text.why;
    for (const auto& line : text.avoid) all += " " + line;
  }
  for (const auto& id : messages_of(rule)) {
    all += " " + id + " " + join(report::wordings_of(id, knowledge), " ");
  }
  return lower(replace_all(all, "-", " "));
}

bool speaks_of(const Rule& rule, const std::set<std::string>& messages) {
  const auto of = messages_of(rule);
  return std::any_of(of.begin(), of.end(),
                     [&](const std::string& id) { return messages.contains(id); });
}

template <typename Test>
std::vector<const Rule*> those(const std::vector<Rule>& rules, Test test) {
  std::vector<const Rule*> out;
  for (const Rule& rule : rules) {
    if (rule.name != kUndecided && test(rule)) out.push_back(&rule);
  }
  const Rule* undecided = find_rule(rules, kUndecided);
  if (out.empty() && undecided != nullptr && test(*undecided)) out.push_back(undecided);
  return out;
}

}  // namespace

std::vector<const Rule*> rules_about(const std::string& words, const std::vector<Rule>& rules,
                                     const Knowledge& knowledge) {
  const std::string asked = lower(words);
  for (const Rule& rule : rules) {
    if (lower(rule.code) == asked || rule.name == asked) return {&rule};
  }
  const auto messages = messages_in(words, knowledge);
  auto out = those(rules, [&](const Rule& rule) { return speaks_of(rule, messages); });
  if (!out.empty()) return out;
  const auto parts = split_words(asked);
  return those(rules, [&](const Rule& rule) {
    const std::string all = all_words_of(rule, knowledge);
    return std::all_of(parts.begin(), parts.end(), [&](auto part) { return contains(all, part); });
  });
}

}  // namespace kernelfit::cli
