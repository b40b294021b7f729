// SPDX-License-Identifier: Apache-2.0
#include "diagnose/diagnose.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "diagnose/checks.h"
#include "diagnose/facts.h"
#include "diagnose/facts_log.h"
#include "diagnose/rule.h"

namespace kernelfit {
namespace {

// Something a rule can speak about, with the facts it sees.
struct Case {
  Subject subject;
  const Facts* facts;
};

// Every case of every scope, built once for all rules.
class Cases {
 public:
  explicit Cases(const Situation& situation) : machine_(machine_facts(situation)) {
    const Machine& machine = situation.machine;
    add("machine", {}, &machine_);
    for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
      gpus_.push_back(keep(gpu_facts(situation, static_cast<int>(i), machine_)));
      add("gpu", {static_cast<int>(i), -1, ""}, gpus_.back());
    }
    for (std::size_t i = 0; i < machine.environments.size(); ++i) {
      add_environment(situation, static_cast<int>(i));
    }
    // torch first: where one cause is said once for all libraries, it names torch.
    for (bool torch : {true, false}) {
      for (const auto& verdict : situation.judgement.verdicts) {
        if ((verdict.library == "torch") == torch) add_verdict(situation, verdict);
      }
    }
  }
  const std::vector<Case>& of(const std::string& scope) { return cases_[scope]; }

 private:
  void add_environment(const Situation& situation, int index) {
    const auto& environment = situation.machine.environments[static_cast<std::size_t>(index)];
    environments_.push_back(keep(environment_facts(situation, index, machine_)));
    add("environment", {-1, index, ""}, environments_.back());
    for (const auto& library : environment.libraries) {
      add("library", {-1, index, library.name},
          keep(library_facts(library, *environments_.back())));
    }
  }
  void add_verdict(const Situation& situation, const LibraryVerdict& verdict) {
    auto at = [](const auto& list, int index) -> const Facts* {
      bool inside = index >= 0 && static_cast<std::size_t>(index) < list.size();
      return inside ? list[static_cast<std::size_t>(index)] : nullptr;
    };
    const Facts* environment = at(environments_, verdict.environment);
    const Facts* gpu = at(gpus_, verdict.gpu);
    if (environment == nullptr) return;
    add("verdict", {verdict.gpu, verdict.environment, verdict.library},
        keep(verdict_facts(situation, verdict, *environment, gpu ? *gpu : machine_)));
  }
  void add(const std::string& scope, Subject subject, const Facts* facts) {
    cases_[scope].push_back({std::move(subject), facts});
  }
  const Facts* keep(Facts facts) {
    kept_.push_back(std::make_unique<Facts>(std::move(facts)));
    return kept_.back().get();
  }

  Facts machine_;
  std::vector<std::unique_ptr<Facts>> kept_;
  std::vector<const Facts*> gpus_, environments_;
  std::map<std::string, std::vector<Case>> cases_;
};

// One cause is said once per environment, however many GPUs or libraries show it; a component that
// has to be replaced by itself is named by itself.
using Group = std::pair<int, std::string>;
Group group_of(const Rule& rule, const Subject& subject) {
  bool by_library = rule.scope == "library" || !rule.check.empty();
  return {subject.environment, by_library ? subject.library : std::string()};
}

void add_values(Fill& values, std::string_view text, const Facts& facts) {
  for (auto& name : placeholders(text)) {
    auto there = [&](const auto& pair) { return pair.first == name; };
    if (!facts.at(name).has() || std::any_of(values.begin(), values.end(), there)) continue;
    std::string value = facts.at(name).text;
    values.emplace_back(std::move(name), std::move(value));
  }
}

// A command with its values quoted for the shell; nothing where one of them is not known.
std::optional<std::string> command_line(std::string_view pattern, const Facts& facts) {
  Fill values;
  for (auto& name : placeholders(pattern)) {
    const FactText& fact = facts.at(name);
    if (!fact.has()) return {};
    std::string value = fact.shell ? fact.text : shell_quote(fact.text);
    values.emplace_back(std::move(name), std::move(value));
  }
  return fill(pattern, values);
}

bool add_command(Fix& fix, const std::string& pattern, const Facts& facts) {
  if (pattern.starts_with('{') && pattern.ends_with('}')) {
    const auto& list = facts.commands(std::string_view(pattern).substr(1, pattern.size() - 2));
    if (list.says()) {
      fix.commands.insert(fix.commands.end(), list.lines.begin(), list.lines.end());
      if (!list.when.key.empty()) fix.when = list.when;
      return true;
    }
  }
  auto line = command_line(pattern, facts);
  if (!line) return false;
  fix.commands.push_back(*std::move(line));
  return true;
}

std::optional<Fix> fix_of(const RuleFix& rule, const Facts& facts) {
  if (rule.condition.evaluate(facts) != Truth::yes) return {};
  Fix fix{rule.id, rule.kind, "", {}, {}};
  Fill values;
  add_values(values, rule.target, facts);
  if (values.size() != placeholders(rule.target).size()) return {};
  fix.action_target = fill(rule.target, values);
  for (const auto& pattern : rule.commands) {
    if (!add_command(fix, pattern, facts)) return {};
  }
  return fix;
}

std::vector<Evidence> evidence_of(const Rule& rule, const Facts& facts) {
  std::vector<Evidence> out;
  for (const auto& [what, name, or_absent] : rule.evidence) {
    const FactText& fact = facts.at(name);
    bool says = fact.has() || (or_absent && fact.state == FactState::absent);
    if (!says) continue;
    std::string value = fact.shown.empty() ? fact.text : fact.shown;
    Evidence one{{"diagnose.evidence." + what, {}}, value, fact.source, !fact.has()};
    // Several groups of one message, or several messages of one line.
    const bool told = std::any_of(out.begin(), out.end(), [&](const Evidence& other) {
      return other.what.key == one.what.key && other.value == one.value &&
             other.source == one.source;
    });
    if (!told) out.push_back(std::move(one));
  }
  return out;
}

Finding finding_of(const Rule& rule, const Case& one) {
  Finding out;
  out.code = rule.code;
  out.name = rule.name;
  out.severity = rule.severity;
  out.certainty = rule.certainty;
  out.subject = one.subject;
  out.sources = rule.sources;
  out.evidence = evidence_of(rule, *one.facts);
  for (const auto& [language, text] : rule.texts) {
    add_values(out.values, text.title, *one.facts);
    add_values(out.values, text.why, *one.facts);
    for (const auto& [id, fix] : text.fixes) add_values(out.values, fix, *one.facts);
    for (const auto& line : text.avoid) add_values(out.values, line, *one.facts);
  }
  for (const auto& fix : rule.fixes) {
    if (auto made = fix_of(fix, *one.facts)) out.fixes.push_back(*std::move(made));
  }
  return out;
}

bool speaks(const Rule& rule, const Situation& situation, const Case& one) {
  if (rule.condition.evaluate(*one.facts) != Truth::yes) return false;
  if (rule.check.empty()) return true;
  const Check* check = find_check(rule.check);
  return check != nullptr && check->holds(situation, one.subject, *one.facts);
}

void ask(const Rule& rule, const Situation& situation, const std::vector<Case>& cases,
         std::vector<Finding>& findings) {
  std::map<Group, std::size_t> said;
  for (const auto& one : cases) {
    if (!speaks(rule, situation, one)) continue;
    auto [it, is_new] = said.emplace(group_of(rule, one.subject), findings.size());
    if (is_new) findings.push_back(finding_of(rule, one));
    auto& gpus = findings[it->second].gpus;
    bool there = std::find(gpus.begin(), gpus.end(), one.subject.gpu) != gpus.end();
    if (one.subject.gpu >= 0 && !there) gpus.push_back(one.subject.gpu);
  }
}

// What only the text says, where the cards and packages it names decide nothing.
void ask_paste(const Rule& rule, const Case& machine, std::vector<Finding>& findings) {
  bool said = std::any_of(findings.begin(), findings.end(),
                          [&](const Finding& finding) { return finding.code == rule.code; });
  if (said || rule.paste.empty()) return;
  if (rule.paste_condition.evaluate(*machine.facts) != Truth::yes) return;
  findings.push_back(finding_of(rule, machine));
}

// Do they speak of the same thing, or one of them of all? A pasted text is about one environment.
bool covers(const Subject& cause, const Subject& symptom, bool pasted) {
  auto meets = [](int a, int b) { return a < 0 || b < 0 || a == b; };
  return meets(cause.gpu, symptom.gpu) &&
         (pasted || cause.environment < 0 || cause.environment == symptom.environment);
}

void drop_hidden(std::vector<Finding>& findings, const std::vector<Rule>& rules, bool pasted) {
  auto hidden = [&](const Finding& symptom) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& cause) {
      const Rule* rule = find_rule(rules, cause.code);
      if (rule == nullptr || !covers(cause.subject, symptom.subject, pasted)) return false;
      return std::find(rule->hides.begin(), rule->hides.end(), symptom.name) != rule->hides.end();
    });
  };
  std::vector<Finding> kept;
  for (const auto& finding : findings) {
    if (!hidden(finding)) kept.push_back(finding);
  }
  findings = std::move(kept);
}

bool names_a_message(const Finding& finding) {
  return std::any_of(finding.evidence.begin(), finding.evidence.end(), [](const Evidence& one) {
    return one.what.key == "diagnose.evidence.message";
  });
}

// Worst first; then what concerns the whole machine, then the active environment and the others;
// then by the rules' own rank. Of a pasted text the rank alone says what is the root: a warning
// may be why the error beside it came. What only tables know of its card and torch comes
// after what it says, where nothing in it comes of that.
void rank(std::vector<Finding>& findings, const std::vector<Rule>& rules,
          const Situation& situation) {
  const bool pasted = situation.machine.pasted;
  const bool by_messages = pasted && !tells_of_a_build(situation);
  auto key = [&](const Finding& finding) {
    const Rule* rule = find_rule(rules, finding.code);
    const int severity = static_cast<int>(finding.severity), place = rule ? rule->rank : 0;
    return std::tuple{by_messages && !names_a_message(finding),
                      pasted ? place : severity,
                      pasted ? severity : finding.subject.environment,
                      place,
                      finding.code,
                      finding.subject.gpu,
                      finding.subject.library};
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

// Asked after everything is known: what only follows from a cause is no cause because the other
// was not asked for.
bool wanted(const Finding& finding, const std::vector<std::string>& checks) {
  return checks.empty() || std::any_of(checks.begin(), checks.end(), [&](const auto& check) {
           return check == finding.name || check == finding.code;
         });
}

// Where any rule knows the cause, it is decided.
void drop_undecided(std::vector<Finding>& findings) {
  const auto undecided = [](const Finding& one) { return one.name == "insufficient-information"; };
  if (!std::all_of(findings.begin(), findings.end(), undecided)) std::erase_if(findings, undecided);
}

}  // namespace

std::vector<Finding> diagnose(const Situation& situation, const std::vector<Rule>& rules,
                              const std::vector<std::string>& only) {
  Cases cases(situation);
  std::vector<Finding> findings;
  for (const auto& rule : rules) {
    ask(rule, situation, cases.of(rule.scope), findings);
    ask_paste(rule, cases.of("machine").front(), findings);
  }
  const bool pasted = situation.machine.pasted;
  drop_hidden(findings, rules, pasted);
  if (pasted) drop_undecided(findings);
  std::erase_if(findings, [&](const Finding& finding) { return !wanted(finding, only); });
  rank(findings, rules, situation);
  return findings;
}

std::vector<Finding> diagnose(const Situation& situation) {
  std::vector<std::string> problems;
  return diagnose(situation, load_rules(situation.knowledge, problems));
}

}  // namespace kernelfit
