// SPDX-License-Identifier: Apache-2.0
// A rule file, read. The format is described in CONTRIBUTING.md ("Add a rule"); docs/glossary.md has
// the vocabulary of conditions.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "diagnose/diagnose.h"

namespace kernelfit {

struct RuleFix {
  std::string id, kind, target, when;  // `when`: a condition; empty: always
  std::vector<std::string> commands;   // with placeholders; "{plan.commands}" is replaced by lines
};

struct RuleText {   // in one language
  std::string title, why;
  std::map<std::string, std::string> fixes;   // by RuleFix::id
  std::vector<std::string> avoid;
};

struct Rule {
  std::string code, name, scope, when;
  Severity severity = Severity::error;
  Certainty certainty = Certainty::certain;
  int rank = 0;                        // lower speaks first
  std::vector<std::string> hides;      // names that only follow from this one
  std::vector<std::pair<std::string, std::string>> evidence;  // (what, fact name)
  std::vector<std::string> sources;
  std::vector<RuleFix> fixes;
  std::map<std::string, RuleText> texts;   // by language
  std::string path;
};

Result<Rule> parse_rule(std::string_view text, std::string_view path);
// All of data/rules, sorted by code. A file that does not parse is in `problems`.
std::vector<Rule> load_rules(const Knowledge& knowledge, std::vector<std::string>& problems);
const Rule* find_rule(const std::vector<Rule>& rules, std::string_view code_or_name);

}  // namespace kernelfit
