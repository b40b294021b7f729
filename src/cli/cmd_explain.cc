// SPDX-License-Identifier: Apache-2.0
// kernelfit explain: what a pasted text means, or the page of a rule.
#include "cli/clipboard.h"
#include "cli/exit_status.h"
#include "cli/explaining.h"
#include "cli/pasted_text.h"
#include "cli/paths.h"
#include "cli/rules_about.h"
#include "report/rule_pages.h"

namespace kernelfit::cli {
namespace {

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
  if (context.args.has("clipboard")) {
    auto text = read_clipboard(context.here);
    if (!text) return usage(context, text.error());
    paste.feed(*text + "\n");
  } else if (context.args.words.empty()) {
    read_stdin(paste);
  }
  for (const auto& word : context.args.words) {
    const std::string path = absolute_path(word, context.here);
    paste.begin_file(word);
    if (word == "-") {
      read_stdin(paste);
    } else if (!context.here.exists(path) && &word == context.args.words.data()) {
      return pages(context, rules);
    } else if (Status status = read_text(context.here, path, paste); !status) {
      Fill values = {{"file", word}, {"problem", status.error().text()}};
      return usage(context, {"cli.error.read", std::move(values)});
    }
  }
  Paste read = paste.finish();
  if (read.blank) return usage(context, {"cli.error.explain-empty", {}});
  auto explained = explain_paste(read, rules, context);
  return {.status = explain_status(explained.findings), .text = explained.text, .problem = {}};
}

}  // namespace kernelfit::cli
