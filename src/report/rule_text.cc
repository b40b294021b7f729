// SPDX-License-Identifier: Apache-2.0
#include "report/rule_text.h"

#include "base/text.h"
#include "report/markdown.h"

namespace kernelfit::report {
namespace {

const RuleText& text_in(const Rule& rule, const Catalogue& say) {
  auto it = rule.texts.find(say.language());
  return it != rule.texts.end() ? it->second : rule.texts.at("en");
}

// Placeholders stand for values of a machine that nobody named.
std::string open_text(std::string text) {
  for (const auto& name : placeholders(text))
    text = replace_all(std::move(text), "{" + name + "}", "…");
  return text;
}

// The sentences that need no value; where all do, all of them, with "…" for each value.
std::vector<std::string> open_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> whole, open;
  for (const auto& text : texts) {
    if (placeholders(text).empty()) whole.push_back(text);
    open.push_back(open_text(text));
  }
  return whole.empty() ? open : whole;
}

std::vector<std::string> whys(const RuleText& text) {
  std::vector<std::string> out;
  if (!text.short_why.empty()) out.push_back(text.short_why);
  for (auto line : lines_of(text.why)) out.emplace_back(line);
  return open_texts(out);
}

std::string section(const std::string& title, const std::vector<std::string>& items, int level) {
  if (items.empty()) return {};
  const std::string marks(static_cast<std::size_t>(level), '#');
  return "\n" + marks + " " + title + "\n\n" + md_list(items);
}

}  // namespace

std::string open_title(const Rule& rule, const Catalogue& say) {
  const RuleText& text = text_in(rule, say);
  return open_text(text.short_title.empty() ? text.title : text.short_title);
}

std::vector<std::string> wordings_of(std::string_view message, const Knowledge& knowledge) {
  std::vector<std::string> out;
  const Csv& table = knowledge.table("paste/messages.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "id") == message) out.emplace_back(trim(table.cell(row, "example")));
  }
  return out;
}

std::string rule_body(const Rule& rule, const Knowledge& knowledge, const Catalogue& say,
                      int level) {
  const RuleText& text = text_in(rule, say);
  std::string out;
  for (const auto& why : whys(text)) out += "\n" + why + "\n";
  std::vector<std::string> messages, fixes;
  for (const auto& id : messages_of(rule)) {
    for (const auto& wording : wordings_of(id, knowledge)) messages.push_back(md_code(wording));
  }
  for (const auto& fix : rule.fixes) {
    auto it = text.fixes.find(fix.id);
    if (it != text.fixes.end()) fixes.push_back(it->second);
  }
  return out + section(say("report.explain.page.messages"), messages, level) +
         section(say("report.explain.page.fixes"), open_texts(fixes), level) +
         section(say("report.explain.page.avoid"), open_texts(text.avoid), level);
}

}  // namespace kernelfit::report
