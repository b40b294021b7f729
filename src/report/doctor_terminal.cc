// SPDX-License-Identifier: Apache-2.0
// docs/voice.md 1 and 2: the cards, the environments with a mark each, then only what is wrong,
// and one best next step.
#include <algorithm>

#include "base/visible.h"
#include "report/doctor.h"
#include "report/next.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

// ------------------------------------------------------------------ cards

Row gpu_row(const Situation& situation, std::size_t index, const Catalogue& say) {
  const Gpu& gpu = situation.machine.gpus[index];
  const Card& card = situation.judgement.cards[index];
  Row row;
  row.push_back({gpu_title(gpu, say), Ink::strong});
  row.push_back({card.label, Ink::strong});
  bool says_itself = contains(card.label, capability_text(card, say));
  row.push_back({says_itself
                     ? ""
                     : say("report.gpu.capability", {{"capability", capability_text(card, say)}})});
  row.push_back({memory_text(gpu.memory_mib)});
  bool on_bus = gpu.index < 0 && !gpu.given && gpu.pci_address.has();
  std::string driver = index == 0 ? driver_text(situation.machine, say) : std::string();
  if (on_bus) driver = say("report.gpu.on-bus", {{"driver", driver}});
  row.push_back({std::string(trim(driver))});
  bool hidden = situation.machine.gpus[index].visible.is(false);
  if (hidden) row.push_back({say("report.gpu.hidden"), Ink::dim});
  bool driver_given = situation.machine.driver.version.state() == FactState::given;
  const bool told = situation.machine.pasted && gpu.name.state() == FactState::known;
  if (told) {
    row.push_back({source_text(gpu.name.source(), say), Ink::dim});
  } else if (gpu.given || (index == 0 && driver_given)) {
    row.push_back({say("report.source.given"), Ink::dim});
  }
  return row;
}

std::string cards_part(const Situation& situation, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < situation.machine.gpus.size(); ++i) {
    rows.push_back(gpu_row(situation, i, say));
  }
  std::string out = lay_out(rows, {.indent = 0}, style);
  if (rows.empty()) {
    out += paint(say(no_card_key(situation.machine)), Ink::strong, style) + "\n";
  }
  for (const auto& other : situation.machine.other_gpus) {
    out += say("report.gpu.other", {{"vendor", other.vendor}, {"name", other.name}}) + "\n";
  }
  return out;
}

// ----------------------------------------------------------- environments

std::string python_text(const Environment& environment, const Catalogue& say) {
  if (!environment.python.has()) return say("report.python.unknown");
  std::string version =
      environment.python->first(2).text() + (environment.free_threaded ? "t" : "");
  return say("report.python.version", {{"version", version}});
}

std::string gpus_text(const LibraryRow& row, const Situation& situation, const Catalogue& say) {
  std::vector<std::string> titles;
  for (int gpu : row.gpus) {
    if (gpu >= 0)
      titles.push_back(gpu_title(situation.machine.gpus[static_cast<std::size_t>(gpu)], say));
  }
  return comma_list(titles, say);
}

// In a word why it does not run: the finding has the lists. How it runs, or why nobody can tell, in
// full.
std::string reason_text(const LibraryVerdict& verdict, const Style& style, const Catalogue& say) {
  // Not loaded, not in this container, of another version: its reason is what tells them apart.
  bool told = verdict.verdict == Verdict::unknown || verdict.verdict == Verdict::no_driver;
  bool fails = !runs(verdict.verdict) && !told;
  std::string reason = fails && !style.verbose ? std::string() : text_of(verdict.reason, say);
  return reason.empty() ? verdict_text(verdict.verdict, say) : reason;
}

Row environment_row(const LibraryRow& row, bool repeats, const Situation& situation,
                    const Style& style, const Catalogue& say) {
  const auto& environment =
      situation.machine.environments[static_cast<std::size_t>(row.environment)];
  Row cells;
  cells.push_back({repeats ? "" : environment_text(environment, style, say)});
  cells.push_back({repeats ? "" : python_text(environment, say)});
  if (row.verdict == nullptr) {
    const bool told = !environment.path.empty() || !environment.libraries.empty() ||
                      !environment.packages.empty();
    cells.push_back(
        {say(told ? "report.environment.empty" : "report.environment.not-told"), Ink::dim});
    return cells;
  }
  cells.push_back({row.library});
  cells.push_back(mark_of(row.verdict->verdict, style, say));
  std::string reason = reason_text(*row.verdict, style, say);
  if (!row.all_gpus) {
    reason = say("report.environment.on-gpu",
                 {{"gpu", gpus_text(row, situation, say)}, {"reason", reason}});
  }
  cells.push_back({reason});
  cells.push_back({basis_text(*row.verdict, say), Ink::dim});
  return cells;
}

std::size_t hidden_environments(const std::vector<LibraryRow>& shown, const Situation& situation) {
  std::size_t hidden = 0;
  const auto& environments = situation.machine.environments;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    bool is_shown = std::any_of(shown.begin(), shown.end(), [&](const auto& row) {
      return row.environment == static_cast<int>(i);
    });
    if (!is_shown) ++hidden;
  }
  return hidden;
}

std::string environments_part(const Situation& situation, const Style& style,
                              const Catalogue& say) {
  std::vector<Row> rows;
  auto shown = library_rows(situation, say, style.verbose);
  int last = -1;
  for (const auto& row : shown) {
    rows.push_back(environment_row(row, row.environment == last, situation, style, say));
    last = row.environment;
  }
  std::string out = lay_out(rows, {}, style);
  if (auto hidden = hidden_environments(shown, situation); hidden > 0) {
    std::string key = hidden == 1 ? "report.environment.hidden-one" : "report.environment.hidden";
    out += "  " + paint(say(key, {{"count", std::to_string(hidden)}}), Ink::dim, style) + "\n";
  }
  bool says_so = situation.machine.environments.empty() && !situation.machine.hypothetical;
  if (says_so) out += "  " + paint(say("report.environment.none"), Ink::dim, style) + "\n";
  return out;
}

// --------------------------------------------------------------- findings

std::string finding_title(const Finding& finding, const FindingText& text,
                          const DoctorReport& report, const Style& style, const Catalogue& say) {
  const auto& environments = report.situation.machine.environments;
  int index = finding.subject.environment;
  if (index < 0 || environments.size() < 2) return text.title;
  std::string where = environment_text(environments[static_cast<std::size_t>(index)], style, say);
  if (contains(text.title, visible(where))) return text.title;
  return say("report.finding.in-environment", {{"environment", where}, {"title", text.title}});
}

Ink ink_of(Severity severity) {
  if (severity == Severity::error) return Ink::bad;
  return severity == Severity::warning ? Ink::doubt : Ink::strong;
}

std::string certainty_note(const Finding& finding, const Catalogue& say) {
  if (finding.certainty == Certainty::certain) return {};
  return say("report.certainty." + std::string(text_of(finding.certainty)));
}

struct Labels {  // of one finding, as wide as its widest
  int width = 0;
  std::string fix, other_fix, avoid, why;
};

Labels labels_for(const Finding& finding, const Catalogue& say) {
  Labels labels;
  labels.fix = say("report.finding.fix");
  labels.other_fix = say("report.finding.or");
  labels.avoid = say("report.finding.no-use");
  labels.why = say("report.finding.why");
  for (const auto& label : {labels.fix, labels.other_fix, labels.avoid, labels.why}) {
    labels.width = std::max(labels.width, display_width(label));
  }
  for (const auto& evidence : finding.evidence) {
    labels.width = std::max(labels.width, display_width(evidence_label(evidence, say)));
  }
  return labels;
}

std::string labelled(const std::string& label, std::string_view text, const Labels& labels,
                     const Style& style, Ink ink = Ink::plain) {
  return paragraph({pad_right(label, labels.width), Ink::dim}, text, 2, 2, style, ink);
}

std::string evidence_part(const Finding& finding, const Labels& labels, const Style& style,
                          const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& evidence : finding.evidence) {
    rows.push_back({{evidence_label(evidence, say), Ink::dim},
                    {value_text(evidence, say)},
                    {short_path(source_text(evidence.source, say), style), Ink::dim}});
  }
  return lay_out(rows, {.indent = 2, .gap = 2, .minimum_first = labels.width}, style);
}

std::string fixes_part(const Finding& finding, const FindingText& text, const Labels& labels,
                       const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < finding.fixes.size(); ++i) {
    if (i > 0 && style.quiet) break;
    bool says_or = text.fixes[i].starts_with("or ") || text.fixes[i].starts_with("或");
    std::string label = i == 0 ? labels.fix : says_or ? std::string() : labels.other_fix;
    out += labelled(label, text.fixes[i], labels, style);
    if (finding.fixes[i].commands.empty()) continue;
    out += "\n" + command_lines(finding.fixes[i].commands, style) + "\n";
  }
  return out;
}

// One paragraph a line.
std::string why_part(const FindingText& text, const Labels& labels, const Style& style) {
  std::string out;
  for (auto line : lines_of(text.why)) {
    out += labelled(out.empty() ? labels.why : std::string(), line, labels, style);
  }
  return out;
}

std::string avoid_part(const FindingText& text, const Labels& labels, const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < text.avoid.size(); ++i) {
    out += labelled(i == 0 ? labels.avoid : "", text.avoid[i], labels, style);
  }
  return out;
}

std::string finding_part(const Finding& finding, const DoctorReport& report, const Style& style,
                         const Catalogue& say) {
  FindingText text = finding_text(finding, report.rules, say);
  std::string title = finding_title(finding, text, report, style, say);
  std::string note = certainty_note(finding, say);
  if (!note.empty()) title = say("report.finding.with-note", {{"title", title}, {"note", note}});
  Labels labels = labels_for(finding, say);
  std::string out =
      paragraph({finding.code, ink_of(finding.severity)}, title, 0, 2, style, Ink::strong);
  if (style.quiet) return out + fixes_part(finding, text, labels, style);
  out += evidence_part(finding, labels, style, say);
  if (style.verbose) out += why_part(text, labels, style);
  out += fixes_part(finding, text, labels, style);
  return out + avoid_part(text, labels, style);
}

// ---------------------------------------------------------- the last lines

std::string next_part(const DoctorReport& report, const Style& style, const Catalogue& say) {
  NextStep next = next_step(report, style, say);
  Cell label{say("report.next.label"), Ink::strong};
  if (next.outcome == Outcome::fits) return paragraph({}, next.text, 0, 1, style, Ink::good);
  std::string text = next.text;
  if (next.outcome == Outcome::finding) {
    if (text.empty()) return {};
    std::string key = next.commands.size() == 1 ? "report.next.command" : "report.next.commands";
    if (!next.commands.empty()) text = say(key, {{"code", next.code}});
    return paragraph(label, text, 0, 1, style);
  }
  std::string out = paragraph(label, text, 0, 1, style);
  if (!next.commands.empty()) out += "\n" + command_lines(next.commands, style);
  return out;
}

std::string remarks_part(const DoctorReport& report, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& line : problem_lines(report.situation.machine, style, say)) {
    rows.push_back({{say("report.unread"), Ink::doubt}, {line}});
  }
  for (const auto& said : report.remarks.missing) {
    if (said.key == kUnread) continue;  // just said
    rows.push_back({{say("report.missing"), Ink::doubt}, {text_of(said, say)}});
  }
  for (const auto& said : report.remarks.notes) {
    rows.push_back({{say("report.note"), Ink::dim}, {text_of(said, say), Ink::dim}});
  }
  return lay_out(rows, {.indent = 0, .gap = 2}, style);
}

void add_part(std::string& out, const std::string& part) {
  if (part.empty()) return;
  if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
  out += part;
}

}  // namespace

std::string findings_terminal(const DoctorReport& report, const Style& style,
                              const Catalogue& say) {
  std::string out;
  for (const auto& finding : report.findings) {
    add_part(out, finding_part(finding, report, style, say));
    if (style.quiet) break;  // the first is the cause, its fix the next step
  }
  return out;
}

std::string doctor_terminal(const DoctorReport& report, const Style& style, const Catalogue& say) {
  std::string out;
  if (!style.quiet) {
    add_part(out, cards_part(report.situation, style, say));
    // Where only some checks were asked, the table would answer what nobody asked.
    if (report.checks.empty()) add_part(out, environments_part(report.situation, style, say));
    add_part(out, steps_terminal(report.steps, style, say));
  }
  add_part(out, findings_terminal(report, style, say));
  if (style.quiet && !report.findings.empty()) return out;
  add_part(out, remarks_part(report, style, say));
  add_part(out, next_part(report, style, say));
  return out;
}

}  // namespace kernelfit::report
