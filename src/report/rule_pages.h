// SPDX-License-Identifier: Apache-2.0
// What a rule says without a machine: `kernelfit explain KF2001`, and the pages of docs/rules.
#pragma once
#include <string>
#include <vector>

#include "diagnose/rule.h"
#include "report/report.h"

namespace kernelfit {

// One rule whole, or a list of those that fit.
std::string render_rule_pages(const std::vector<const Rule*>& rules, const Knowledge& knowledge,
                              const Style& style, const Catalogue& say);

// docs/rules as it has to be: a page for each rule, one for each message that somebody can search
// for, and the index by message. English, then Chinese.
struct DocPage {
  std::string path;  // below docs/rules: "README.md", "KF2006-ext-arch-missing.md"
  std::string text;
};
std::vector<DocPage> rule_documents(const std::vector<Rule>& rules, const Knowledge& knowledge);

}  // namespace kernelfit
