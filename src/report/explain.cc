// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include "base/visible.h"

#include "report/doctor.h"
#include "report/json_parts.h"
#include "report/layout.h"
#include "report/markdown.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

constexpr std::string_view kTorchCommand =
    "python -c \"import sys, torch; print(sys.executable, torch.__file__, torch.__version__, "
    "torch.version.cuda, torch.cuda.get_arch_list())\"";

std::string what_text(const std::string& what, const Catalogue& say) {
  std::string key = "report.explain.what." + what;
  return say.has(key) ? say(key) : what;
}

std::string nothing_text(const ExplainReport& report, const Catalogue& say) {
  bool nothing_read = report.read.empty() && report.diagnosis.situation.machine.log.empty();
  if (!nothing_read) return say("report.explain.nothing");
  return say("report.explain.nothing-read", {{"lines", std::to_string(report.lines)}});
}

void add_part(std::string& out, const std::string& part) {
  if (part.empty()) return;
  if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
  out += part;
}

// ---------------------------------------------------------------- terminal

std::string read_part(const ExplainReport& report, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& one : report.read) {
    rows.push_back({{what_text(one.what, say), Ink::dim},
                    {one.value},
                    {source_text(one.source, say), Ink::dim}});
  }
  return lay_out(rows, {.indent = 0, .gap = 3}, style);
}

std::string missing_part(const ExplainReport& report, const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& one : report.missing) {
    rows.push_back({{say("report.explain.missing"), Ink::doubt}, {text_of(one.what, say)}});
  }
  return lay_out(rows, {.indent = 0, .gap = 2}, style);
}

std::string terminal(const ExplainReport& report, const Style& style, const Catalogue& say) {
  std::string out = findings_terminal(report.diagnosis, style, say);
  if (report.diagnosis.findings.empty()) {
    add_part(out, paint(nothing_text(report, say), Ink::strong, style) + "\n");
  }
  if (style.quiet) return out;
  add_part(out, read_part(report, style, say));
  add_part(out, missing_part(report, style, say));
  return out;
}

// ---------------------------------------------------------------- markdown

std::string markdown(const ExplainReport& report, const Catalogue& say) {
  std::string out = say("report.markdown.intro",
                        {{"version", std::string(program_version())},
                         {"date", std::string(report.diagnosis.situation.knowledge.date())}}) +
                    "\n\n## " + say("report.explain.heading-findings") + "\n\n";
  out += findings_markdown(report.diagnosis, say);
  if (report.diagnosis.findings.empty()) out += nothing_text(report, say) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& one : report.read) {
    rows.push_back({what_text(one.what, say), one.value, source_text(one.source, say)});
  }
  if (!rows.empty()) {
    out += "## " + say("report.explain.heading-read") + "\n\n" +
           md_table(
               {say("report.column.fact"), say("report.column.value"), say("report.column.source")},
               rows) +
           "\n";
  }
  std::vector<std::string> missing;
  for (const auto& one : report.missing) missing.push_back(text_of(one.what, say));
  if (!missing.empty()) {
    out += "## " + say("report.explain.heading-missing") + "\n\n" + md_list(missing) + "\n";
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

// -------------------------------------------------------------------- JSON

Json input_json(const ExplainReport& report) {
  const Machine& machine = report.diagnosis.situation.machine;
  Json out = Json::object();
  out.add("kind", report.kinds.empty() ? Json() : Json(report.kinds.front()));
  out.add("kinds", strings_json(report.kinds));
  out.add("lines", report.lines);
  out.add("recognised", array_json(report.read, [](const ExplainReport::Read& one) {
            Json item = Json::object();
            item.add("what", one.what);
            item.add("value", one.value);
            item.add("source", one.source);
            return item;
          }));
  out.add("messages", array_json(machine.log, [&](const LogEvent& one) {
            Json item = Json::object();
            item.add("id", one.id);
            item.add("line", one.line);
            item.add("text", one.text);
            item.add("source", line_source(machine, one.line));
            return item;
          }));
  return out;
}

Json json(const ExplainReport& report, const Catalogue& say) {
  Json out = head_json("explain", report.diagnosis.situation.knowledge);
  out.add("input", input_json(report));
  out.add("findings", array_json(report.diagnosis.findings, [&](const Finding& finding) {
            return finding_json(finding, report.diagnosis, say);
          }));
  const auto& findings = report.diagnosis.findings;
  bool incomplete = !findings.empty() && findings.front().name == "insufficient-information";
  out.add("incomplete", incomplete);
  out.add("missing", array_json(report.missing, [&](const ExplainReport::Missing& one) {
            Json item = Json::object();
            item.add("what", text_of(one.what, say));
            item.add("command", one.command);
            return item;
          }));
  out.add("notes", said_json(report.diagnosis.remarks.notes, say));
  return out;
}

}  // namespace
}  // namespace report

std::vector<ExplainReport::Missing> missing_of(const Machine& machine,
                                               const std::vector<Finding>& findings) {
  std::vector<ExplainReport::Missing> out;
  auto ask = [&](const char* key, std::string command) {
    out.push_back({{key, {{"command", command}}}, command});
  };
  if (findings.empty()) return out;
  bool undecided = findings.front().name == "insufficient-information";
  bool torch = !machine.environments.empty() &&
               machine.environments.front().library("torch") != nullptr &&
               !machine.environments.front().library("torch")->version.empty();
  if (machine.gpus.empty() || machine.driver.version.is_unknown()) {
    ask("report.explain.ask.cards", "nvidia-smi");
  }
  if (!torch) ask("report.explain.ask.torch", std::string(report::kTorchCommand));
  if (!undecided) return out;
  ask("report.explain.ask.environment", "python -m torch.utils.collect_env");
  ask("report.explain.ask.whole", "CUDA_LAUNCH_BLOCKING=1 python …");
  return out;
}

std::string render_explain(const ExplainReport& report, const Style& style, const Catalogue& say) {
  switch (style.format) {
    case Format::json: return report::json(report, say).dump();
    case Format::markdown: return report::markdown(report, say);
    case Format::terminal: break;
  }
  return report::terminal(report, style, say);
}

}  // namespace kernelfit
