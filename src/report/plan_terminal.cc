// SPDX-License-Identifier: Apache-2.0
// The verdict first, then what to type, then why; what else would do, and what will not help.
#include <algorithm>

#include "base/visible.h"
#include "report/plan.h"
#include "report/words.h"
#include "solve/companions.h"
#include "solve/left_out.h"

namespace kernelfit::report {
namespace {

constexpr int kLabelWidth = 9;

Ink ink_of(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::install:
    case PlanVerdict::reinstall:
    case PlanVerdict::keep: return Ink::good;
    case PlanVerdict::ask: return Ink::doubt;
    default: return Ink::bad;
  }
}

std::string labelled_list(const std::string& label, const std::vector<std::string>& items,
                          const Style& style) {
  std::string out;
  for (const auto& item : items) {
    std::string shown = out.empty() ? label : std::string();
    out += paragraph({pad_right(shown, kLabelWidth), Ink::dim}, item, 2, 2, style);
  }
  return out;
}

std::vector<std::string> texts_of(const std::vector<Said>& said, const Catalogue& say) {
  std::vector<std::string> out;
  for (const auto& one : said) out.push_back(text_of(one, say));
  return out;
}

std::string facts_part(const PlanReport& report, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  std::string last;
  for (const auto& fact : request_facts(report, say)) {
    std::string label = fact.label == last ? std::string() : fact.label;
    last = fact.label;
    rows.push_back({{label, Ink::dim}, {fact.value}, {fact.source, Ink::dim}});
  }
  return lay_out(rows, {.indent = 2, .gap = 2, .minimum_first = kLabelWidth}, style);
}

std::string per_gpu_part(const Choice& choice, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& gpu : choice.per_gpu) {
    std::string how =
        gpu.used ? say("report.plan.runs-by",
                       {{"verdict", verdict_text(gpu.runs, say)}, {"arch", gpu.used->text()}})
                 : verdict_text(gpu.runs, say);
    if (!gpu.cudnn) how = say("report.plan.no-cudnn", {{"how", how}});
    rows.push_back({{rows.empty() ? say("report.plan.label.runs") : "", Ink::dim},
                    {gpu.gpu},
                    mark_of(gpu.runs, style, say),
                    {how}});
  }
  return lay_out(rows, {.indent = 2, .gap = 2, .minimum_first = kLabelWidth}, style);
}

std::string pair_text(const Choice& choice, const Catalogue& say) {
  std::vector<std::string> parts;
  if (!choice.torchvision.empty()) parts.push_back("torchvision " + choice.torchvision);
  if (!choice.torchaudio.empty()) parts.push_back("torchaudio " + choice.torchaudio);
  return comma_list(parts, say);
}

bool any_tegra(const Request& request) {
  return std::any_of(request.cards.begin(), request.cards.end(),
                     [](const Card& card) { return card.tegra; });
}

std::string choice_part(const Choice& choice, bool tegra, const Style& style,
                        const Catalogue& say) {
  std::string out = per_gpu_part(choice, style, say);
  std::string pair = pair_text(choice, say);
  if (!pair.empty()) out += labelled_list(say("report.plan.label.with"), {pair}, style);
  // A Jetson's driver is part of its JetPack; the CPU needs none.
  const bool own_driver = choice.driver.minimum.empty() && tegra;
  if (choice.jetson == nullptr && choice.build_name != "cpu" && !own_driver) {
    out += labelled_list(say("report.plan.label.needs"), {need_text(choice.driver, say)}, style);
  }
  return out;
}

std::string commands_part(const std::vector<CommandBlock>& blocks, const Style& style,
                          const Catalogue& say) {
  std::string out;
  for (const auto& block : blocks) {
    bool first = out.empty();
    std::string title = tool_text(block, say);
    std::string when = text_of(block.when, say);
    if (!when.empty()) title = say("report.plan.tool-when", {{"tool", title}, {"when", when}});
    if (!first) out += "\n";
    out += paragraph({}, title, 2, 0, style, Ink::dim) + command_lines(block.lines, style);
  }
  return out;
}

std::string alternatives_part(const Plan& plan, const Style& style, const Catalogue& say) {
  std::string out;
  Cell label{pad_right(say("report.plan.label.or"), kLabelWidth), Ink::dim};
  for (std::size_t i = 0; i < plan.answer.alternatives.size(); ++i) {
    const std::string text = alternative_text(plan, i, say);
    if (!out.empty()) out += "\n";
    out += paragraph(label, text, 2, 2, style);
    if (i < plan.alternative_commands.size() && !plan.alternative_commands[i].empty()) {
      out += command_lines(plan.alternative_commands[i][0].lines, style);
    }
  }
  return out;
}

// The smallest set of facts that cannot hold together, as a tree of because lines.
std::string conflict_part(const Conflict& conflict, const Style& style, const Catalogue& say) {
  std::string out = "  " + say("report.conflict.title") + "\n";
  for (std::size_t i = 0; i < conflict.parts.size(); ++i) {
    const auto& part = conflict.parts[i];
    bool last = i + 1 == conflict.parts.size();
    std::string branch = !style.unicode ? (last ? "`-" : "|-") : (last ? "└─" : "├─");
    std::string key = "report.conflict." + part.kind;
    std::string what = say.has(key) ? say(key, {{"value", part.value}}) : part.value;
    std::string because = text_of(part.because, say);
    if (!because.empty()) what = say("report.conflict.because", {{"what", what}, {"why", because}});
    out += paragraph({branch, Ink::dim}, what, 2, 1, style);
  }
  std::string advice = text_of(conflict.advice, say);
  if (!advice.empty()) {
    out += paragraph({say("report.conflict.change"), Ink::strong}, advice, 2, 1, style);
  }
  return out;
}

std::string variant_outcome(const VariantAnswer& variant, const Request& request,
                            const Catalogue& say) {
  const Answer& answer = variant.answer;
  if (answer.choice && answer.verdict == PlanVerdict::install) {
    return choice_text(*answer.choice, say);
  }
  const bool by_card = answer.cause.key.empty() || answer.cause.key == "solve.cause.card";
  if (answer.verdict == PlanVerdict::no_build && by_card)
    return say("report.plan.variant-no-build");
  return headline(answer, request, say);
}

std::string variants_part(const Answer& answer, const Request& request, const Style& style,
                          const Catalogue& say) {
  if (answer.variants.empty()) return {};
  std::vector<Row> rows;
  for (const auto& variant : answer.variants) {
    std::vector<std::string> ids;
    for (const auto& id : variant.card.pci_ids) {
      ids.push_back(ids.empty() || !id.starts_with("10de:") ? id : id.substr(5));
    }
    // Products of one short name are told apart by their whole one.
    const std::string& label = variant.card.label;
    const bool named = !label.empty() && !request.cards.empty() && label != request.cards[0].label;
    rows.push_back({{named ? label : join(ids, " "), Ink::strong},
                    {variant.card.chip},
                    {capability_text(variant.card, say)},
                    {variant_outcome(variant, request, say)}});
  }
  return lay_out(rows, {}, style) + "\n" +
         paragraph({say("report.plan.tell"), Ink::strong}, say("report.plan.tell-how"), 0, 1,
                   style);
}

// Of a driver and of a torch one way each: the whole choice stands in the answer for that chip.
std::vector<CommandBlock> first_of_each_step(const std::vector<CommandBlock>& blocks) {
  std::vector<CommandBlock> out;
  for (const auto& block : blocks) {
    const bool driver = block.tool == "driver";
    const bool there = std::any_of(out.begin(), out.end(), [&](const CommandBlock& other) {
      return (other.tool == "driver") == driver;
    });
    if (!there) out.push_back(block);
    // The commands that follow are examples of several systems.
    if (!there && block.when.key == "plan.when.driver-any-system")
      out.back().when.key = "diagnose.fix.any-system";
  }
  return out;
}

std::string variant_commands(const PlanReport& report, const Style& style, const Catalogue& say) {
  std::string out;
  for (std::size_t i = 0; i < report.variants.size(); ++i) {
    const auto& blocks = report.variants[i].commands;
    if (blocks.empty() || i >= report.plan.answer.variants.size()) continue;
    if (!report.plan.answer.variants[i].answer.choice) continue;  // the CPU is no news for each
    const Card& card = report.plan.answer.variants[i].card;
    Fill values = {{"chip", card.chip}, {"capability", capability_text(card, say)}};
    if (!out.empty()) out += "\n";
    out += "  " + paint(say("report.plan.for-chip", values), Ink::strong, style) + "\n\n";
    out += commands_part(first_of_each_step(blocks), style, say);
  }
  return out;
}

std::string value_in(const Said& said, std::string_view name) {
  for (const auto& [key, value] : said.values) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> lines_of(const Said& fault) {
  std::vector<std::string> out;
  const std::string lines = value_in(fault, "lines");
  for (const std::string_view line : split(lines, '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

// What doctor says first, before anything of torch.
std::string fault_part(const Answer& answer, const Style& style, const Catalogue& say) {
  const Said* fault = first_fault(answer);
  if (fault == nullptr) return {};
  const std::string title = say("report.plan.fault", fault->values);
  const std::vector<std::string> lines = lines_of(*fault);
  std::string out = paragraph({}, title, 2, 0, style, Ink::strong);
  return lines.empty() ? out : out + "\n" + command_lines(lines, style);
}

// The caveats that have no part of their own.
std::vector<std::string> caveat_texts(const Answer& answer, const Catalogue& say) {
  std::vector<Said> out = answer.caveats;
  if (const Said* fault = first_fault(answer))
    out.erase(out.begin() + (fault - answer.caveats.data()));
  return texts_of(out, say);
}

void add_part(std::string& out, const std::string& part) {
  if (part.empty()) return;
  if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
  out += part;
}

std::vector<std::string> remark_texts(const PlanReport& report, const Catalogue& say) {
  auto out = texts_of(report.plan.notes, say);
  for (const auto& text : texts_of(report.remarks.notes, say)) out.push_back(text);
  return out;
}

std::string comment(const std::string& text) {
  return text.empty() ? std::string() : "# " + text + "\n";
}

// What no command says by itself: that a wish is not what is installed, that nothing fits, that
// something is missing. As comments, which a shell reads over.
std::string quiet_remarks(const PlanReport& report, const Catalogue& say) {
  const Answer& answer = report.plan.answer;
  std::string out;
  if (answer.verdict == PlanVerdict::no_build)
    out += comment(headline(answer, report.request, say));
  if (answer.conflict) {
    std::vector<std::string> parts;
    for (const auto& part : answer.conflict->parts)
      parts.push_back(say("report.conflict." + part.kind, {{"value", part.value}}));
    out += comment(say("report.conflict.title") + " " + join(parts, ", "));
    out += comment(text_of(answer.conflict->advice, say));
  }
  for (const auto& question : texts_of(answer.questions, say)) out += comment(question);
  for (const Said& caveat : answer.caveats) {
    const bool left_out = solving::is_about_left_out(caveat) && !answer.conflict;
    if (left_out || solving::is_about_one_torch(caveat) || solving::is_about_third_party(caveat))
      out += comment(text_of(caveat, say));
  }
  if (const Said* fault = first_fault(answer)) {
    out += comment(say("report.plan.fault", fault->values));
    for (const std::string& line : lines_of(*fault)) out += visible(line) + "\n";
  }
  return out;
}

std::string command_lines(const CommandBlock& block) {
  std::string out;
  for (const auto& line : block.lines) out += visible(line) + "\n";
  return out;
}

std::string quiet_plan(const PlanReport& report, const Catalogue& say) {
  std::string out = quiet_remarks(report, say);
  const auto& blocks = report.plan.commands;
  if (blocks.empty()) return out;
  if (blocks[0].tool != "driver") return out + command_lines(blocks[0]);
  // Two steps, and the first may have no command where the system is not known.
  if (report.plan.answer.verdict != PlanVerdict::no_build)
    out += comment(headline(report.plan.answer, report.request, say));
  for (const auto& block : first_of_each_step(blocks)) out += command_lines(block);
  return out;
}

}  // namespace

std::string plan_terminal(const PlanReport& report, const Style& style, const Catalogue& say) {
  const Answer& answer = report.plan.answer;
  std::string out;
  if (!style.quiet) {
    const std::string first = headline(answer, report.request, say);
    out += paragraph({}, first, 0, 0, style, ink_of(answer.verdict));
    if (answer.variants.empty()) add_part(out, facts_part(report, style, say));
    if (answer.choice) out += choice_part(*answer.choice, any_tegra(report.request), style, say);
  }
  add_part(out, variants_part(answer, report.request, style, say));
  add_part(out, variant_commands(report, style, say));
  if (style.quiet) return out + quiet_plan(report, say);
  add_part(out, fault_part(answer, style, say));
  add_part(out, commands_part(report.plan.commands, style, say));
  if (answer.conflict) add_part(out, conflict_part(*answer.conflict, style, say));
  add_part(out, labelled_list(say("report.plan.label.why"), texts_of(answer.why, say), style));
  add_part(out,
           labelled_list(say("report.plan.label.ask"), texts_of(answer.questions, say), style));
  add_part(out, labelled_list(say("report.plan.label.caveat"), caveat_texts(answer, say), style));
  add_part(out, alternatives_part(report.plan, style, say));
  add_part(out, labelled_list(say("report.finding.no-use"), texts_of(answer.avoid, say), style));
  if (answer.questions.empty()) {
    auto missing = texts_of(report.remarks.missing, say);
    add_part(out, labelled_list(say("report.missing"), missing, style));
  }
  add_part(out, labelled_list(say("report.note"), remark_texts(report, say), style));
  return out;
}

}  // namespace kernelfit::report
