// SPDX-License-Identifier: Apache-2.0
// docs/rules: what a search engine finds when somebody looks for the words of an error.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/markdown.h"
#include "report/rule_pages.h"
#include "report/rule_text.h"

namespace kernelfit {
namespace report {
namespace {

struct Message {
  std::string id;
  std::vector<std::string> wordings;
  std::vector<const Rule*> causes;  // by rank
};

constexpr std::string_view kUndecided = "insufficient-information";

// What tells of a fault; what only surrounds one nobody searches for.
std::vector<std::string> searched_ids(const Knowledge& knowledge) {
  std::vector<std::string> out;
  const Csv& table = knowledge.table("paste/messages.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "kind") != "context") out.emplace_back(table.cell(row, "id"));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Message> messages_with_causes(const std::vector<Rule>& rules,
                                          const Knowledge& knowledge) {
  std::map<std::string, std::vector<const Rule*>> causes;
  for (const Rule& rule : rules) {
    for (const auto& id : messages_of(rule)) causes[id].push_back(&rule);
  }
  std::vector<Message> out;
  for (const auto& id : searched_ids(knowledge)) {
    auto& of = causes[id];
    std::stable_sort(of.begin(), of.end(), [](const Rule* a, const Rule* b) {
      return std::pair(a->name == kUndecided, a->rank) < std::pair(b->name == kUndecided, b->rank);
    });
    if (!of.empty()) out.push_back({id, wordings_of(id, knowledge), of});
  }
  return out;
}

std::string file_of(const Rule& rule) {
  return rule.code + "-" + rule.name + ".md";
}

std::vector<Catalogue> catalogues() {
  return {load_catalogue("en"), load_catalogue("zh")};
}

DocPage rule_document(const Rule& rule, const Knowledge& knowledge,
                      const std::vector<Catalogue>& languages) {
  std::string text;
  for (const Catalogue& say : languages) {
    text += text.empty() ? "# " : "\n## ";
    text += rule.code + " " + open_title(rule, say) + "\n" + rule_body(rule, knowledge, say, 3);
    text += "\n" + say("report.explain.page.how") + "\n";
  }
  return {file_of(rule), std::move(text)};
}

DocPage message_document(const Message& message, const std::vector<Catalogue>& languages) {
  std::string text = "# " + md_code(message.wordings.front()) + "\n";
  if (message.wordings.size() > 1) {
    std::vector<std::string> others;
    for (std::size_t i = 1; i < message.wordings.size(); ++i)
      others.push_back(md_code(message.wordings[i]));
    text += "\n" + md_list(others);
  }
  for (const Catalogue& say : languages) {
    const bool one = message.causes.size() == 1;
    text += "\n" + say(one ? "report.explain.page.cause" : "report.explain.page.causes") + "\n\n";
    std::vector<std::string> causes;
    for (const Rule* rule : message.causes)
      causes.push_back("[" + rule->code + "](../" + file_of(*rule) + ") " + open_title(*rule, say));
    text += md_list(causes) + "\n" + say("report.explain.page.how") + "\n";
  }
  return {"messages/" + message.id + ".md", std::move(text)};
}

DocPage index_document(const std::vector<Message>& messages,
                       const std::vector<Catalogue>& languages) {
  std::vector<std::pair<std::string, std::string>> lines;  // the wording, its page
  for (const auto& message : messages) {
    for (const auto& wording : message.wordings)
      lines.emplace_back(wording, "messages/" + message.id + ".md");
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const Catalogue& say : languages) {
    text += text.empty() ? "# " : "\n";
    text += say("report.explain.page.index") + "\n";
    if (&say == &languages.front()) text += "\n" + say("report.explain.page.how") + "\n";
  }
  text += "\n";
  for (const auto& [wording, path] : lines)
    text +=
        "- " + md_code(wording) + ": [" + path.substr(9, path.size() - 12) + "](" + path + ")\n";
  return {"README.md", std::move(text)};
}

}  // namespace
}  // namespace report

std::vector<DocPage> rule_documents(const std::vector<Rule>& rules, const Knowledge& knowledge) {
  const auto languages = report::catalogues();
  const auto messages = report::messages_with_causes(rules, knowledge);
  std::vector<DocPage> out = {report::index_document(messages, languages)};
  for (const Rule& rule : rules) out.push_back(report::rule_document(rule, knowledge, languages));
  for (const auto& message : messages) out.push_back(report::message_document(message, languages));
  return out;
}

}  // namespace kernelfit
