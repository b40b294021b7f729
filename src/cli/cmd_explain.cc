// SPDX-License-Identifier: Apache-2.0
// kernelfit explain: what a pasted text means, or the page of a rule.
#include <algorithm>
#include <cstdio>

#include "base/stream.h"
#include "cli/exit_status.h"
#include "cli/paths.h"
#include "cli/planning.h"
#include "cli/rules_about.h"
#include "paste/paste.h"
#include "report/explain.h"
#include "report/rule_pages.h"

namespace kernelfit::cli {
namespace {

void read_stdin(PasteReader& paste) {
  std::vector<char> buffer(std::size_t{1} << 16);
  while (std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    paste.feed({buffer.data(), got});
  }
}

// A file of any size in pieces; what tells no size (/proc, a pipe) whole, up to what a host reads.
Status read_file(const Host& host, const std::string& path, PasteReader& paste) {
  KF_TRY(auto file, host.open_file(path));
  if (file->size() == 0) {
    KF_TRY(std::string text, host.read_file(path));
    paste.feed(text);
    return {};
  }
  AccessStream stream(*file);
  std::vector<std::byte> buffer(std::size_t{1} << 16);
  for (;;) {
    KF_TRY(std::size_t got, stream.read(buffer));
    if (got == 0) return {};
    paste.feed({reinterpret_cast<const char*>(buffer.data()), got});
  }
}

Outcome explained(const Context& context, Paste paste, const std::vector<Rule>& rules) {
  if (paste.blank) return usage(context, {"cli.error.explain-empty", {}});
  Judgement judgement = judge(paste.machine, context.knowledge);
  auto plans = all_plans(paste.machine, judgement, context.knowledge, {});
  Situation situation{paste.machine, judgement, plans, context.knowledge};
  ExplainReport report{
      {situation, explain(situation, rules), {}, {}, rules, {}}, paste.kinds, {}, paste.lines, {}};
  report.diagnosis.remarks.notes = context.notes;
  for (const auto& fact : paste.facts) report.read.push_back({fact.what, fact.value, fact.source});
  report.missing = missing_of(paste.machine, report.diagnosis.findings);
  return {.status = explain_status(report.diagnosis.findings),
          .text = render_explain(report, context.style, context.say),
          .problem = {}};
}

Outcome pages(const Context& context, const std::vector<Rule>& rules) {
  const std::string words = join(context.args.words, " ");
  auto found = rules_about(words, rules, context.knowledge);
  if (found.empty()) return usage(context, {"cli.error.explain-none", {{"words", words}}});
  return {.status = kFits,
          .text = render_rule_pages(found, context.knowledge, context.style, context.say),
          .problem = {}};
}

}  // namespace

Outcome cmd_explain(const Context& context) {
  std::vector<std::string> problems;
  auto rules = load_rules(context.knowledge, problems);
  if (!problems.empty()) return usage(context, {"cli.error.rules", {{"problem", problems[0]}}});
  PasteReader paste(context.knowledge);
  if (!context.args.value("knowledge").empty()) problems = paste.problems();
  if (!problems.empty()) return usage(context, {"cli.error.rules", {{"problem", problems[0]}}});
  if (context.args.words.empty()) read_stdin(paste);
  for (const auto& word : context.args.words) {
    const std::string path = absolute_path(word, context.here);
    if (word == "-") {
      read_stdin(paste);
    } else if (!context.here.exists(path)) {
      return pages(context, rules);
    } else if (Status status = read_file(context.here, path, paste); !status) {
      Fill values = {{"file", word}, {"problem", status.error().text()}};
      return usage(context, {"cli.error.read", std::move(values)});
    }
    paste.feed("\n");
  }
  return explained(context, paste.finish(), rules);
}

}  // namespace kernelfit::cli
