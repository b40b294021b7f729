// SPDX-License-Identifier: Apache-2.0
// A rule file, read. docs/rules.md says how to write one; docs/glossary.md has the vocabulary of
// conditions. The file is the rule, its text in every language, and its tests.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "diagnose/condition.h"
#include "diagnose/diagnose.h"
#include "diagnose/facts.h"

namespace kernelfit {

struct RuleFix {
  std::string id, kind, target, when;  // `when`: a condition; empty: always
  std::vector<std::string> commands;   // with placeholders; "{plan.commands}" is replaced by lines
  Condition condition;                 // `when`, read
};

struct RuleEvidence {
  std::string what, fact;
  bool or_absent = false;  // that there is none is proof as well
};

struct RuleText {  // in one language
  std::string title, why;
  std::map<std::string, std::string> fixes;  // by RuleFix::id
  std::vector<std::string> avoid;
  std::string short_why;    // where none of its lines can be said
  std::string short_title;  // without values: where the title asks for one that nobody knows
};

struct RuleExample {  // of the section `# tests`
  std::string title;  // the line above the table
  Facts facts;
  bool speaks = false;
};

struct Rule {
  std::string code, name, scope, when;
  // What a pasted text alone has to say for this cause, over the facts of the machine scope: asked
  // only where `when` found nothing, for a paste seldom holds all that a machine tells. May be
  // empty.
  std::string paste;
  std::string since;  // the version of kernelfit that brought it
  std::string check;  // a function of checks.cc that must agree too; empty: none
  Severity severity = Severity::error;
  Certainty certainty = Certainty::certain;
  int rank = 0;                    // lower speaks first
  std::vector<std::string> hides;  // names that only follow from this one
  std::vector<RuleEvidence> evidence;
  std::vector<std::string> sources;
  std::vector<RuleFix> fixes;
  std::map<std::string, RuleText> texts;  // by language
  std::vector<RuleExample> examples;
  std::string path;
  Condition condition;        // `when`, read
  Condition paste_condition;  // `paste`, read
};
// Does one of the two conditions hold: what the examples of a rule promise.
bool speaks(const Rule& rule, const Facts& facts);

// `include` gives the text of a shared file (data/rules/shared/<name>.md) that a fix names.
// Examples are for tests: reading them would cost every start as much as all the rest.
using RuleInclude = std::vector<std::pair<std::string, std::string>>;
enum class Examples { skip, read };
Result<Rule> parse_rule(std::string_view text, std::string_view path,
                        const RuleInclude& include = {}, Examples examples = Examples::read);
// All of data/rules, sorted by code. A file that does not parse is in `problems`.
std::vector<Rule> load_rules(const Knowledge& knowledge, std::vector<std::string>& problems,
                             Examples examples = Examples::skip);
const Rule* find_rule(const std::vector<Rule>& rules, std::string_view code_or_name);

// The messages of a pasted text that speak for this cause: ids of paste/messages.csv, sorted.
std::vector<std::string> messages_of(const Rule& rule);

// The same as diagnose(situation) with rules that were loaded before; `checks` (names or codes, of
// `doctor CHECK…`) limits which findings come back, empty: all. Of a pasted text: where any rule
// knows the cause, "insufficient-information" is not one.
std::vector<Finding> diagnose(const Situation& situation, const std::vector<Rule>& rules,
                              const std::vector<std::string>& checks = {});

// A finding's sentences in one language. A line that asks for something nobody knows is left out,
// so use this rather than fill() on the rule's text.
struct FindingText {
  std::string title, why;          // why: one paragraph a line
  std::vector<std::string> fixes;  // beside Finding::fixes
  std::vector<std::string> avoid;
};
FindingText render_finding(const Finding& finding, const Rule& rule, const Catalogue& say);

// `doctor --list`: the rules by code, with the title for one language ("…" where a value goes).
struct CheckLine {
  std::string code, name, title;
};
std::vector<CheckLine> list_checks(const std::vector<Rule>& rules, std::string_view language);

// The {placeholders} of a text, in order, without repeats.
std::vector<std::string> placeholders(std::string_view text);

}  // namespace kernelfit
