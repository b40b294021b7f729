// SPDX-License-Identifier: Apache-2.0
// `kernelfit plan driver`.
#include "report/json_parts.h"
#include "report/markdown.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string cards_text(const Request& request, const Catalogue& say) {
  std::vector<std::string> labels;
  for (const auto& card : request.cards) labels.push_back(card.label);
  return comma_list(labels, say);
}

std::string_view verdict_of(const DriverPlanReport& report) {
  if (report.need.impossible || !report.driver) return "no-build";
  return runs(report.present) ? "keep" : "update-driver";
}

std::string summary_of(const DriverPlanReport& report, const Catalogue& say) {
  Fill values = {{"gpus", cards_text(report.request, say)},
                 {"cuda", report.cuda.text()},
                 {"driver", report.driver ? report.driver->text() : std::string()}};
  if (report.request.driver.has()) values.emplace_back("present", report.request.driver->text());
  if (report.request.cards.empty()) return say("report.driver-plan.ask");
  std::string key = "report.driver-plan." + std::string(verdict_of(report));
  return say(report.cuda.empty() ? key : key + "-cuda", values);
}

Json driver_json(const DriverPlanReport& report, const Catalogue& say) {
  Json out = head_json("plan", report.knowledge);
  out.add("target", "driver");
  Json gpus = Json::array();
  for (const auto& card : report.request.cards) gpus.push(card_json(card));
  Json request = Json::object();
  request.add("gpus", std::move(gpus));
  request.add("driver", fact_json(report.request.driver));
  request.add("os", text_json(report.request.os));
  request.add("cuda", version_json(report.cuda));
  out.add("request", std::move(request));
  out.add("verdict", report.request.cards.empty() ? "ask" : verdict_of(report));
  out.add("summary", summary_of(report, say));
  Json after = Json::object();
  after.add("driver", report.driver ? version_json(*report.driver) : Json());
  after.add("python", Json());
  out.add("after", std::move(after));
  out.add("driver", need_json(report.need));
  out.add("commands", commands_json(report.commands, say));
  add_remarks(out, report.remarks, say);
  return out;
}

std::string driver_text_form(const DriverPlanReport& report, const Style& style,
                             const Catalogue& say) {
  bool markdown = style.format == Format::markdown;
  std::string out = (markdown ? "## " : "") + summary_of(report, say) + "\n\n";
  std::string need = say("report.driver-plan.need", {{"need", need_text(report.need, say)}});
  out += (markdown ? "" : "  ") + need + "\n";
  for (const auto& block : report.commands) {
    std::string when = text_of(block.when, say);
    std::string title = when.empty() ? tool_text(block, say)
                                     : say("report.plan.tool-when",
                                           {{"tool", tool_text(block, say)}, {"when", when}});
    const std::string fence =
        block.lines.empty() ? std::string() : "\n" + md_fence(block.lines, block.shell);
    out += "\n" + (markdown ? title + "\n" + fence
                            : paragraph({}, title, 2, 0, style, Ink::dim) +
                                  command_lines(block.lines, style));
  }
  return out;
}

}  // namespace
}  // namespace report

std::string render_driver_plan(const DriverPlanReport& report, const Style& style,
                               const Catalogue& say) {
  if (style.format == Format::json) return report::driver_json(report, say).dump();
  return report::driver_text_form(report, style, say);
}

}  // namespace kernelfit
