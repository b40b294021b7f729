// SPDX-License-Identifier: Apache-2.0
#include "report/markdown.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

std::string section(const std::string& title, const std::vector<Said>& said, const Catalogue& say) {
  std::vector<std::string> items;
  for (const auto& one : said) items.push_back(text_of(one, say));
  if (items.empty()) return {};
  return "### " + title + "\n\n" + md_list(items) + "\n";
}

std::string commands_section(const std::vector<CommandBlock>& blocks, const Catalogue& say) {
  std::string out;
  for (const auto& block : blocks) {
    std::string when = text_of(block.when, say);
    out += tool_text(block, say) + (when.empty() ? "" : " (" + when + ")");
    out += block.lines.empty() ? "\n\n" : ":\n\n" + md_fence(block.lines, block.shell) + "\n";
  }
  return out;
}

std::string variants_table(const PlanReport& report, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& variant : report.plan.answer.variants) {
    rows.push_back({join(variant.card.pci_ids, " "), variant.card.chip,
                    capability_text(variant.card, say),
                    headline(variant.answer, report.request, say)});
  }
  return md_table({"PCI", say("report.column.chip"), say("report.column.capability"),
                   say("report.column.verdict")},
                  rows);
}

std::string alternatives_section(const Plan& plan, const Catalogue& say) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < plan.answer.alternatives.size(); ++i)
    items.push_back(alternative_text(plan, i, say));
  if (items.empty()) return {};
  return "### " + say("report.heading.alternatives") + "\n\n" + md_list(items) + "\n";
}

std::string conflict_section(const std::optional<Conflict>& conflict, const Catalogue& say) {
  if (!conflict) return {};
  std::vector<std::string> items;
  for (const auto& part : conflict->parts) {
    std::string key = "report.conflict." + part.kind;
    std::string what = say.has(key) ? say(key, {{"value", part.value}}) : part.value;
    std::string because = text_of(part.because, say);
    items.push_back(because.empty()
                        ? what
                        : say("report.conflict.because", {{"what", what}, {"why", because}}));
  }
  std::string out = "### " + say("report.heading.conflict") + "\n\n" + md_list(items) + "\n";
  std::string advice = text_of(conflict->advice, say);
  return advice.empty() ? out : out + advice + "\n\n";
}

}  // namespace

std::string plan_markdown(const PlanReport& report, const Style&, const Catalogue& say) {
  const Answer& answer = report.plan.answer;
  std::string out = "## " + headline(answer, report.request, say) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& fact : request_facts(report, say)) {
    rows.push_back({fact.label, fact.value, fact.source});
  }
  out +=
      md_table({say("report.column.fact"), say("report.column.value"), say("report.column.source")},
               rows) +
      "\n";
  std::string variants = variants_table(report, say);
  if (!variants.empty()) out += variants + "\n";
  out += commands_section(report.plan.commands, say);
  out += conflict_section(answer.conflict, say);
  out += section(say("report.heading.why"), answer.why, say);
  out += section(say("report.heading.questions"), answer.questions, say);
  out += section(say("report.heading.caveats"), answer.caveats, say);
  out += alternatives_section(report.plan, say);
  out += section(say("report.finding.no-use-heading"), answer.avoid, say);
  out += section(say("report.heading.open"), report.remarks.missing, say);
  out += section(say("report.note"), report.plan.notes, say);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace kernelfit::report
