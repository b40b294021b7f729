// SPDX-License-Identifier: Apache-2.0
// `kernelfit plan driver`.
#include <algorithm>

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

// A Jetson's driver is part of its JetPack.
bool on_board(const DriverPlanReport& report) {
  const auto& cards = report.request.cards;
  return std::any_of(cards.begin(), cards.end(), [](const Card& card) { return card.tegra; });
}

std::string_view verdict_of(const DriverPlanReport& report) {
  if (on_board(report)) return "keep";
  if (report.conflict || report.need.impossible || !report.driver) return "no-build";
  return runs(report.present) ? "keep" : "update-driver";
}

std::string summary_of(const DriverPlanReport& report, const Catalogue& say) {
  Fill values = {{"gpus", cards_text(report.request, say)},
                 {"cuda", report.cuda.text()},
                 {"driver", report.driver ? report.driver->text() : std::string()}};
  if (report.request.driver.has()) values.emplace_back("present", report.request.driver->text());
  if (report.request.cards.empty()) return say("report.driver-plan.ask");
  if (on_board(report)) return say("report.driver-plan.jetson", values);
  if (report.conflict) {
    const bool one = report.request.cards.size() == 1;
    return say(one ? "report.driver-plan.no-driver" : "report.driver-plan.no-build", values);
  }
  std::string key = "report.driver-plan." + std::string(verdict_of(report));
  return say(report.cuda.empty() ? key : key + "-cuda", values);
}

// "open", "proprietary"; empty: either.
std::string flavor_of(const DriverPlanReport::Alone& one, const Request& request) {
  return request.os == "linux" ? std::string(module_flavor_for(one.card)) : std::string();
}

std::string alone_text(const DriverPlanReport::Alone& one, const DriverPlanReport& report,
                       const Catalogue& say) {
  const std::string flavor = flavor_of(one, report.request);
  const Fill values = {{"gpu", one.card.label},
                       {"need", need_text(one.need, say)},
                       {"driver", one.driver ? one.driver->text() : std::string()},
                       {"flavor", flavor},
                       {"cuda", report.cuda.text()}};
  if (!one.driver) return say("report.driver-plan.alone-none", values);
  return say(flavor.empty() ? "report.driver-plan.alone" : "report.driver-plan.alone-flavor",
             values);
}

// Why no driver serves them together, and what each takes.
std::string conflict_lines(const DriverPlanReport& report, const Catalogue& say) {
  std::vector<std::string> lines;
  for (const auto& part : report.conflict->parts) lines.push_back(text_of(part.because, say));
  lines.push_back(text_of(report.conflict->advice, say));
  for (const auto& one : report.alone) lines.push_back(alone_text(one, report, say));
  std::string out;
  for (const auto& line : lines) out += "- " + line + "\n";
  return out;
}

Json alone_json(const DriverPlanReport::Alone& one, const Request& request) {
  Json out = Json::object();
  out.add("gpu", one.card.label);
  out.add("driver", one.driver ? version_json(*one.driver) : Json());
  out.add("module", text_json(flavor_of(one, request)));
  out.add("need", need_json(one.need));
  return out;
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
  out.add("conflict", conflict_json(report.conflict, say));
  Json alone = Json::array();
  for (const auto& one : report.alone) alone.push(alone_json(one, report.request));
  out.add("alone", std::move(alone));
  add_remarks(out, report.remarks, say);
  return out;
}

std::string driver_text_form(const DriverPlanReport& report, const Style& style,
                             const Catalogue& say) {
  bool markdown = style.format == Format::markdown;
  const std::string summary = summary_of(report, say);
  std::string out =
      (markdown ? "## " + summary + "\n" : paragraph({}, summary, 0, 0, style)) + "\n";
  if (on_board(report)) return out;
  if (report.conflict) return out + conflict_lines(report, say);
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
