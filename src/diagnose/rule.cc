// SPDX-License-Identifier: Apache-2.0
#include "diagnose/rule.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "diagnose/checks.h"

namespace kernelfit {

std::string_view text_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
  }
  return "note";
}
std::string_view text_of(Certainty certainty) {
  switch (certainty) {
    case Certainty::certain: return "certain";
    case Certainty::likely: return "likely";
    case Certainty::possible: break;
  }
  return "possible";
}

namespace {

struct Section {
  std::string language;  // "en", "zh", "tests"
  std::string heading;   // "" before the first ##
  std::vector<std::string_view> lines;
};

// The text between two lines of +++, and what follows.
Result<std::pair<std::string_view, std::string_view>> split_head(std::string_view text) {
  constexpr std::string_view kFence = "+++\n";
  if (!text.starts_with(kFence)) return error(ErrorKind::malformed, "does not start with +++");
  auto end = text.find("\n+++\n", kFence.size() - 1);
  if (end == std::string_view::npos) return error(ErrorKind::malformed, "the head is not closed");
  return std::pair{text.substr(kFence.size(), end + 1 - kFence.size()), text.substr(end + 5)};
}

std::vector<Section> sections_of(std::string_view body) {
  std::vector<Section> out;
  std::string language;
  bool in_block = false;
  for (auto line : lines_of(body)) {
    if (line.starts_with("```")) in_block = !in_block;
    if (!in_block && line.starts_with("# ")) {
      language = trim(line.substr(2));
      out.push_back({language, "", {}});
    } else if (!in_block && line.starts_with("## ")) {
      out.push_back({language, std::string(trim(line.substr(3))), {}});
    } else if (!out.empty()) {
      out.back().lines.push_back(line);
    }
  }
  return out;
}

std::string paragraphs(const std::vector<std::string_view>& lines) {
  std::string out;
  for (auto line : lines) {
    auto text = trim(line);
    if (text.empty()) continue;
    if (!out.empty()) out += '\n';
    out += text;
  }
  return out;
}

Result<Severity> severity_of(std::string_view text) {
  for (auto one : {Severity::error, Severity::warning, Severity::note}) {
    if (text == text_of(one)) return one;
  }
  return error(ErrorKind::malformed, "severity is error, warning or note");
}
Result<Certainty> certainty_of(std::string_view text) {
  for (auto one : {Certainty::certain, Certainty::likely, Certainty::possible}) {
    if (text == text_of(one)) return one;
  }
  return error(ErrorKind::malformed, "certainty is certain, likely or possible");
}

Result<RuleFix> read_fix(const Json& head) {
  RuleFix out;
  out.id = head.at("id").string();
  out.kind = head.at("kind").string();
  out.target = head.at("target").string();
  out.when = head.at("when").string();
  out.commands = head.at("commands").strings();
  auto condition = Condition::parse(out.when);
  if (!condition) return tl::unexpected(std::move(condition).error().in("fix " + out.id));
  out.condition = *std::move(condition);
  return out;
}

Status add_text(Rule& rule, const Section& section) {
  RuleText& text = rule.texts[section.language];
  std::string_view heading = section.heading;
  if (heading.empty()) {
    text.title = paragraphs(section.lines);
  } else if (heading == "Why") {
    text.why = paragraphs(section.lines);
  } else if (heading == "Short why") {
    text.short_why = paragraphs(section.lines);
  } else if (heading == "Short title") {
    text.short_title = paragraphs(section.lines);
  } else if (heading.starts_with("Fix ")) {
    text.fixes[std::string(heading.substr(4))] = paragraphs(section.lines);
  } else if (heading == "Do not") {
    for (auto line : section.lines) {
      if (line.starts_with("- ")) text.avoid.emplace_back(trim(line.substr(2)));
    }
  } else {
    return error(ErrorKind::malformed, "unknown section: " + std::string(heading));
  }
  return {};
}

// A table of facts: name = "text"; `absent = ["driver.version"]` names what was looked for in vain.
Result<Facts> read_facts(std::string_view toml) {
  KF_TRY(Json table, parse_toml(toml));
  Facts facts;
  for (const auto& [name, value] : table.members()) {
    if (name == "absent") {
      for (const auto& absent : value.strings()) facts.set_absent(absent);
    } else if (value.is_array()) {
      facts.set_commands(name, {value.strings(), {}});
    } else if (value.is_string()) {
      facts.set_known(name, std::string(value.string()));
    } else {
      return error(ErrorKind::malformed, name + ": a fact is a text or a list of lines");
    }
  }
  return facts;
}

Status add_examples(Rule& rule, const Section& section) {
  bool speaks = section.heading == "Speaks";
  if (section.heading.empty()) return {};
  if (!speaks && section.heading != "Stays silent") {
    return error(ErrorKind::malformed, "unknown section of tests: " + section.heading);
  }
  std::string title, block;
  bool in_block = false;
  for (auto line : section.lines) {
    if (!line.starts_with("```")) {
      if (in_block)
        block += std::string(line) + "\n";
      else if (!trim(line).empty())
        title = trim(line);
      continue;
    }
    in_block = !in_block;
    if (in_block) continue;
    auto facts = read_facts(block);
    if (!facts) return tl::unexpected(std::move(facts).error().in(section.heading));
    rule.examples.push_back({std::exchange(title, {}), *std::move(facts), speaks});
    block.clear();
  }
  return {};
}

Status read_body(Rule& rule, std::string_view body, Examples examples) {
  if (examples == Examples::skip) body = body.substr(0, body.find("\n# tests\n"));
  for (const auto& section : sections_of(body)) {
    Status status =
        section.language == "tests" ? add_examples(rule, section) : add_text(rule, section);
    if (!status) return status;
  }
  return {};
}

// Puts the fixes of a shared file where the rule names it, and their texts beside the rule's own.
Status add_shared(Rule& rule, std::string_view name, const RuleInclude& include) {
  for (const auto& [shared_name, text] : include) {
    if (shared_name != name) continue;
    KF_TRY(Rule shared, parse_rule(text, "shared/" + shared_name, {}, Examples::skip));
    for (auto& fix : shared.fixes) rule.fixes.push_back(std::move(fix));
    for (auto& [language, of] : shared.texts) {
      rule.texts[language].fixes.merge(of.fixes);
    }
    return {};
  }
  return error(ErrorKind::malformed, "no shared file " + std::string(name));
}

Status read_fixes(Rule& rule, const Json& head, const RuleInclude& include) {
  for (const auto& item : head.at("fix").items()) {
    if (item.at("include").is_string()) {
      if (Status status = add_shared(rule, item.at("include").string(), include); !status) {
        return status;
      }
      continue;
    }
    KF_TRY(RuleFix fix, read_fix(item));
    rule.fixes.push_back(std::move(fix));
  }
  return {};
}

Status read_head(Rule& rule, const Json& head) {
  rule.code = head.at("code").string();
  rule.name = head.at("name").string();
  rule.scope = head.at("scope").string();
  rule.when = head.at("when").string();
  rule.paste = head.at("paste").string();
  rule.since = head.at("since").string();
  rule.check = head.at("check").string();
  rule.rank = static_cast<int>(head.at("rank").integer());
  rule.hides = head.at("hides").strings();
  rule.sources = head.at("sources").strings();
  for (const auto& item : head.at("evidence").items()) {
    auto words = item.strings();
    bool or_absent = words.size() == 3 && words[2] == "or absent";
    if (words.size() != 2 && !or_absent) {
      return error(ErrorKind::malformed, "evidence is a label, a fact, perhaps \"or absent\"");
    }
    rule.evidence.push_back({words[0], words[1], or_absent});
  }
  KF_TRY(rule.condition, Condition::parse(rule.when));
  KF_TRY(rule.paste_condition, Condition::parse(rule.paste));
  return {};
}

Status read_judgement(Rule& rule, const Json& head) {
  KF_TRY(rule.severity, severity_of(head.at("severity").string()));
  KF_TRY(rule.certainty, certainty_of(head.at("certainty").string()));
  return {};
}

Result<Rule> parse(std::string_view text, const RuleInclude& include, Examples examples) {
  KF_TRY(auto parts, split_head(text));
  KF_TRY(Json head, parse_toml(parts.first));
  Rule rule;
  bool shared = head.at("shared").boolean();  // fixes and texts only
  if (Status status = read_head(rule, head); !status) return tl::unexpected(status.error());
  if (!shared) {
    if (Status status = read_judgement(rule, head); !status) return tl::unexpected(status.error());
  }
  if (Status status = read_body(rule, parts.second, examples); !status)
    return tl::unexpected(status.error());
  if (Status status = read_fixes(rule, head, include); !status) {
    return tl::unexpected(status.error());
  }
  return rule;
}

}  // namespace

Result<Rule> parse_rule(std::string_view text, std::string_view path, const RuleInclude& include,
                        Examples examples) {
  auto rule = parse(text, include, examples);
  if (!rule) return tl::unexpected(std::move(rule).error().in(path));
  rule->path = path;
  return rule;
}

std::vector<Rule> load_rules(const Knowledge& knowledge, std::vector<std::string>& problems,
                             Examples examples) {
  RuleInclude include;
  for (auto path : knowledge.files_under("rules/shared")) {
    auto name = path.substr(path.rfind('/') + 1);
    include.emplace_back(name.substr(0, name.rfind('.')), knowledge.file(path));
  }
  std::vector<Rule> rules;
  for (auto path : knowledge.files_under("rules")) {
    if (!path.starts_with("rules/KF") || !path.ends_with(".md")) continue;
    auto rule = parse_rule(knowledge.file(path), path, include, examples);
    if (rule)
      rules.push_back(*std::move(rule));
    else
      problems.push_back(rule.error().text());
  }
  std::sort(rules.begin(), rules.end(),
            [](const Rule& a, const Rule& b) { return a.code < b.code; });
  return rules;
}

bool speaks(const Rule& rule, const Facts& facts) {
  if (rule.condition.evaluate(facts) == Truth::yes) return true;
  return !rule.paste.empty() && rule.paste_condition.evaluate(facts) == Truth::yes;
}

const Rule* find_rule(const std::vector<Rule>& rules, std::string_view code_or_name) {
  for (const auto& rule : rules) {
    if (rule.code == code_or_name || rule.name == code_or_name) return &rule;
  }
  return nullptr;
}

std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto open = text.find('{');
    if (open == std::string_view::npos) break;
    if (text.substr(open).starts_with("{{")) {
      text.remove_prefix(open + 2);
      continue;
    }
    auto close = text.find('}', open);
    if (close == std::string_view::npos) break;
    std::string name(text.substr(open + 1, close - open - 1));
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace kernelfit
