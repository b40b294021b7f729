// SPDX-License-Identifier: Apache-2.0
// A rule's text and a finding's values, put together.
#include <algorithm>

#include "base/visible.h"
#include "diagnose/rule.h"

namespace kernelfit {
namespace {

bool can_fill(std::string_view text, const Fill& values) {
  for (const auto& name : placeholders(text)) {
    auto known = [&](const auto& pair) { return pair.first == name; };
    if (std::none_of(values.begin(), values.end(), known)) return false;
  }
  return true;
}

// Without the lines that ask for something nobody knows.
std::string fill_lines(std::string_view text, const Fill& values) {
  std::string out;
  for (auto line : lines_of(text)) {
    if (!can_fill(line, values)) continue;
    if (!out.empty()) out += '\n';
    out += fill_visible(line, values);
  }
  return out;
}

const RuleText& text_in(const Rule& rule, std::string_view language) {
  static const RuleText kNone;
  auto it = rule.texts.find(std::string(language));
  if (it == rule.texts.end()) it = rule.texts.find("en");
  return it != rule.texts.end() ? it->second : kNone;
}

std::string with_remark(std::string summary, const Said& when, const Catalogue& say) {
  if (!tells_more(when)) return summary;
  return say("diagnose.fix.with-remark",
             {{"fix", summary}, {"remark", say(when.key, when.values)}});
}

}  // namespace

std::string value_text(const Evidence& evidence, const Catalogue& say) {
  if (evidence.absent) return say("diagnose.value.none");
  if (evidence.value == "yes") return say("diagnose.value.yes");
  if (evidence.value == "no") return say("diagnose.value.no");
  return evidence.value;
}

FindingText render_finding(const Finding& finding, const Rule& rule, const Catalogue& say) {
  const RuleText& text = text_in(rule, say.language());
  FindingText out;
  out.title = can_fill(text.title, finding.values) ? fill_lines(text.title, finding.values)
                                                   : text.short_title;
  out.why = fill_lines(text.why, finding.values);
  if (out.why.empty()) out.why = text.short_why;
  for (const auto& fix : finding.fixes) {
    auto it = text.fixes.find(fix.id);
    std::string summary = it == text.fixes.end() ? "" : fill_lines(it->second, finding.values);
    out.fixes.push_back(with_remark(std::move(summary), fix.when, say));
  }
  for (const auto& line : text.avoid) {
    if (can_fill(line, finding.values)) out.avoid.push_back(fill_visible(line, finding.values));
  }
  return out;
}

std::vector<CheckLine> list_checks(const std::vector<Rule>& rules, std::string_view language) {
  std::vector<CheckLine> out;
  for (const auto& rule : rules) {
    std::string title = text_in(rule, language).title;
    for (const auto& name : placeholders(title)) {
      title = replace_all(std::move(title), "{" + name + "}", "…");
    }
    out.push_back({rule.code, rule.name, std::move(title)});
  }
  return out;
}

}  // namespace kernelfit
