// SPDX-License-Identifier: Apache-2.0
// The report for a forum: everything a helper would ask for, in one paste. cli redacts it.
#include "report/doctor.h"
#include "report/markdown.h"
#include "report/next.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

template <typename T>
void add_fact(std::vector<std::vector<std::string>>& rows, const std::string& label,
              const Fact<T>& fact, const Catalogue& say) {
  if (fact.has()) {
    rows.push_back({label, kernelfit::text_of(fact.value()), source_text(fact.source(), say)});
  } else if (fact.is_absent()) {
    rows.push_back({label, say("report.absent"), source_text(fact.source(), say)});
  } else {
    rows.push_back({label, say("report.unknown"), fact.reason()});
  }
}

std::string machine_table(const Machine& machine, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  add_fact(rows, say("report.fact.os"), machine.system.os_name, say);
  add_fact(rows, say("report.fact.kernel"), machine.system.kernel, say);
  add_fact(rows, say("report.fact.cpu-arch"), machine.system.cpu_arch, say);
  if (!machine.system.glibc.is_absent()) {
    add_fact(rows, say("report.fact.glibc"), machine.system.glibc, say);
  }
  if (machine.system.container.has()) {
    add_fact(rows, say("report.fact.container"), machine.system.container, say);
  }
  if (machine.system.jetpack.has()) add_fact(rows, "JetPack", machine.system.jetpack, say);
  add_fact(rows, say("report.fact.driver"), machine.driver.version, say);
  add_fact(rows, say("report.fact.cuda-max"), machine.driver.cuda_max, say);
  if (machine.driver.flavor.has()) {
    add_fact(rows, say("report.fact.module-flavor"), machine.driver.flavor, say);
  }
  return md_table(
      {say("report.column.fact"), say("report.column.value"), say("report.column.source")}, rows);
}

std::string gpus_table(const Situation& situation, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < situation.machine.gpus.size(); ++i) {
    const Gpu& gpu = situation.machine.gpus[i];
    const Card& card = situation.judgement.cards[i];
    rows.push_back({gpu_title(gpu, say), card.label, capability_text(card, say),
                    memory_text(gpu.memory_mib), gpu.pci_id.has() ? gpu.pci_id->text() : "",
                    source_text(card.capability.source(), say)});
  }
  if (rows.empty()) return say(no_card_key(situation.machine)) + "\n";
  return md_table({"GPU", say("report.column.name"), say("report.column.capability"),
                   say("report.column.memory"), "PCI", say("report.column.source")},
                  rows);
}

std::string environment_cell(const Situation& situation, const LibraryRow& row, const Style& style,
                             const Catalogue& say) {
  const auto& environment =
      situation.machine.environments[static_cast<std::size_t>(row.environment)];
  return md_code(environment_text(environment, style, say));
}

std::string verdicts_table(const Situation& situation, const Style& style, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : library_rows(situation, say, true)) {
    if (row.verdict == nullptr) continue;
    std::vector<std::string> gpus;
    for (int gpu : row.gpus) gpus.push_back(gpu_label(situation, gpu));
    rows.push_back({environment_cell(situation, row, style, say), row.library,
                    row.all_gpus ? say("report.gpu.all") : join(gpus, ", "),
                    verdict_text(row.verdict->verdict, say), text_of(row.verdict->reason, say),
                    arch_list_text(row.verdict->archs), basis_text(*row.verdict, say)});
  }
  return md_table({say("report.column.environment"), say("report.column.library"), "GPU",
                   say("report.column.verdict"), say("report.column.reason"),
                   say("report.column.archs"), say("report.column.source")},
                  rows);
}

std::string finding_section(const Finding& finding, const DoctorReport& report,
                            const Catalogue& say) {
  FindingText text = finding_text(finding, report.rules, say);
  std::string out = "### " + finding.code + " " + text.title + "\n\n";
  for (auto line : lines_of(text.why)) out += std::string(line) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& evidence : finding.evidence) {
    rows.push_back({evidence_label(evidence, say), value_text(evidence, say),
                    source_text(evidence.source, say)});
  }
  out += md_table(
      {say("report.column.fact"), say("report.column.value"), say("report.column.source")}, rows);
  if (!rows.empty()) out += "\n";
  for (std::size_t i = 0; i < finding.fixes.size(); ++i) {
    out += std::to_string(i + 1) + ". " + text.fixes[i] + "\n\n";
    const auto& commands = finding.fixes[i].commands;
    if (!commands.empty()) out += md_fence(commands, "") + "\n";
  }
  if (!text.avoid.empty()) {
    out += say("report.finding.no-use-heading") + "\n\n" + md_list(text.avoid) + "\n";
  }
  return out;
}

std::string steps_section(const std::vector<Step>& steps, const Catalogue& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(steps.size());
  for (const auto& step : steps) {
    rows.push_back({say("report.stage." + step.stage),
                    say("report.step." + std::string(text_of(step.state)) + ".word"),
                    text_of(step.says, say), source_text(step.looked_at, say)});
  }
  return md_table({say("report.column.stage"), say("report.column.state"),
                   say("report.column.found"), say("report.column.looked-at")},
                  rows);
}

std::string heading(const Catalogue& say, std::string_view key) {
  return "## " + say(key) + "\n\n";
}

std::string next_section(const DoctorReport& report, const Style& style, const Catalogue& say) {
  NextStep next = next_step(report, style, say);
  if (next.text.empty() && next.commands.empty()) return {};
  std::string out = heading(say, "report.heading.next") + next.text + "\n";
  if (!next.commands.empty()) out += "\n" + md_fence(next.commands, "");
  return out + "\n";
}

std::string remarks_section(const DoctorReport& report, const Style& style, const Catalogue& say) {
  std::vector<std::string> items = problem_lines(report.situation.machine, style, say);
  for (const auto& said : report.remarks.missing) {
    if (said.key != kUnread) items.push_back(text_of(said, say));
  }
  for (const auto& said : report.remarks.notes) items.push_back(text_of(said, say));
  if (items.empty()) return {};
  return heading(say, "report.heading.open") + md_list(items) + "\n";
}

}  // namespace

std::string findings_markdown(const DoctorReport& report, const Catalogue& say) {
  std::string out;
  for (const auto& finding : report.findings) out += finding_section(finding, report, say);
  return out;
}

std::string doctor_markdown(const DoctorReport& report, const Style& style, const Catalogue& say) {
  const Situation& situation = report.situation;
  std::string out =
      say("report.markdown.intro", {{"version", std::string(program_version())},
                                    {"date", std::string(situation.knowledge.date())}});
  out += "\n\n" + heading(say, "report.heading.gpus") + gpus_table(situation, say) + "\n";
  out += heading(say, "report.heading.machine") + machine_table(situation.machine, say) + "\n";
  std::string verdicts;
  if (report.checks.empty()) verdicts = verdicts_table(situation, style, say);
  if (!verdicts.empty()) out += heading(say, "report.heading.verdicts") + verdicts + "\n";
  if (!report.findings.empty()) out += heading(say, "report.heading.findings");
  out += findings_markdown(report, say);
  std::string steps = steps_section(report.steps, say);
  if (!steps.empty()) out += heading(say, "report.heading.steps") + steps + "\n";
  out += next_section(report, style, say) + remarks_section(report, style, say);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace kernelfit::report
