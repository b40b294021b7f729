// SPDX-License-Identifier: Apache-2.0
#include "report/plan.h"

#include <algorithm>

#include "report/markdown.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string installed_torch(const Request& request) {
  for (const auto& installed : request.installed) {
    if (installed.name == "torch") return installed.version;
  }
  return {};
}

// "3.13t": the free-threaded build is another Python to every wheel.
std::string python_text(const Request& request) {
  if (!request.python.has()) return "?";
  return request.python->text() + (request.free_threaded ? "t" : "");
}

Fill headline_values(const Answer& answer, const Request& request, const Catalogue& say) {
  Fill values;
  if (answer.choice) values.emplace_back("choice", choice_text(*answer.choice, say));
  if (answer.after_driver) values.emplace_back("driver", answer.after_driver->text());
  if (answer.after_python) values.emplace_back("python", answer.after_python->text());
  values.emplace_back("installed", installed_torch(request));
  values.emplace_back("gpu", request.cards.empty() ? "" : request.cards[0].label);
  if (const Said* first = first_fault(answer)) {
    values.insert(values.end(), first->values.begin(), first->values.end());
  }
  values.emplace_back("count", std::to_string(answer.variants.size()));
  return values;
}

// A verdict may come with or without a build to choose; each has its own sentence.
std::string headline_key(const Answer& answer) {
  std::string key = "report.plan." + std::string(text_of(answer.verdict));
  if (answer.verdict == PlanVerdict::ask && answer.variants.size() > 1) return key + "-variants";
  if (answer.verdict == PlanVerdict::no_build) return answer.cpu_only ? key + "-cpu" : key;
  if (answer.verdict == PlanVerdict::update_driver && answer.keeps_installed) return key + "-keeps";
  if (answer.verdict == PlanVerdict::keep && first_fault(answer) != nullptr) return key + "-but";
  if (answer.choice && answer.after_driver && answer.after_python)
    return "report.plan.driver-and-python";
  return answer.choice || answer.verdict == PlanVerdict::ask ? key : key + "-only";
}

template <typename T>
void add_fact(std::vector<GivenFact>& out, const std::string& label, const Fact<T>& fact,
              const Catalogue& say) {
  if (fact.has()) {
    out.push_back({label, kernelfit::text_of(fact.value()), source_text(fact.source(), say)});
  } else if (fact.is_absent()) {
    out.push_back({label, say("report.absent"), source_text(fact.source(), say)});
  } else {
    out.push_back({label, say("report.unknown"), {}});
  }
}

}  // namespace

const Said* first_fault(const Answer& answer) {
  const auto found = std::find_if(
      answer.caveats.begin(), answer.caveats.end(),
      [](const Said& caveat) { return caveat.key.starts_with("report.plan.doctor-"); });
  return found == answer.caveats.end() ? nullptr : &*found;
}

std::string channel_text(std::string_view channel, const Catalogue& say) {
  std::string key = "report.channel." + std::string(channel);
  return say.has(key) ? say(key) : std::string(channel);
}

std::string choice_text(const Choice& choice, const Catalogue& say) {
  const bool community = choice.jetson != nullptr && choice.jetson->form.starts_with("community");
  const std::string label = community ? "jetson-community" : choice.channel;
  return say("report.plan.choice", {{"torch", choice.torch},
                                    {"build", choice.build_name},
                                    {"channel", channel_text(label, say)}});
}

std::string alternative_text(const Plan& plan, std::size_t alternative, const Catalogue& say) {
  const Choice& choice = plan.answer.alternatives[alternative];
  std::string when = text_of(choice.when, say), remark;
  if (alternative < plan.alternative_commands.size() &&
      !plan.alternative_commands[alternative].empty()) {
    const Said& of_lines = plan.alternative_commands[alternative].front().when;
    const bool said = of_lines.key == "plan.when.container";  // the choice says so itself
    if (tells_more(of_lines) && !said) remark = text_of(of_lines, say);
  }
  if (when.empty()) std::swap(when, remark);
  if (!remark.empty())
    when = say("report.plan.when-and-remark", {{"when", when}, {"remark", remark}});
  const std::string text = choice_text(choice, say);
  return when.empty() ? text : say("report.plan.alternative", {{"choice", text}, {"when", when}});
}

std::string need_text(const DriverNeed& need, const Catalogue& say) {
  if (need.impossible) return say("report.need.impossible");
  std::string branch = std::to_string(need.last_branch);
  if (need.minimum.empty() && need.last_branch == 0) return say("report.need.unknown");
  if (need.minimum.empty()) return say("report.need.maximum", {{"branch", branch}});
  std::string minimum = need.minimum.text();
  if (need.last_branch == 0) return say("report.need.minimum", {{"minimum", minimum}});
  return say("report.need.both", {{"minimum", minimum}, {"branch", branch}});
}

std::string tool_text(const CommandBlock& block, const Catalogue& say) {
  std::string key = "report.tool." + block.tool;
  std::string tool = say.has(key) ? say(key) : block.tool;
  if (block.shell.empty() || block.shell == "sh") return tool;
  return say("report.tool.in-shell", {{"tool", tool}, {"shell", block.shell}});
}

std::string headline(const Answer& answer, const Request& request, const Catalogue& say) {
  if (answer.verdict == PlanVerdict::no_build && !answer.cause.key.empty())
    return text_of(answer.cause, say);
  return say(headline_key(answer), headline_values(answer, request, say));
}

std::vector<GivenFact> request_facts(const PlanReport& report, const Catalogue& say) {
  const Request& request = report.request;
  std::vector<GivenFact> out;
  for (const auto& card : request.cards) {
    std::string capability = capability_text(card, say);
    std::string value =
        contains(card.label, capability)
            ? card.label
            : say("report.plan.card", {{"gpu", card.label}, {"capability", capability}});
    out.push_back({say("report.fact.gpu"), value, source_text(card.capability.source(), say)});
  }
  if (request.no_gpu) out.push_back({say("report.fact.gpu"), say("report.absent"), {}});
  if (request.l4t.empty()) add_fact(out, say("report.fact.driver"), request.driver, say);
  if (!request.jetpack.empty()) out.push_back({"JetPack", request.jetpack, {}});
  std::string system = say("report.plan.system", {{"os", request.os}, {"arch", request.cpu_arch}});
  if (!request.os.empty()) out.push_back({say("report.fact.system"), system, {}});
  add_fact(out, "Python", request.python, say);
  if (request.python.has()) out.back().value = python_text(request);
  if (request.glibc.has()) add_fact(out, "glibc", request.glibc, say);
  return out;
}

}  // namespace report

std::string render_plan(const PlanReport& report, const Style& style, const Catalogue& say) {
  switch (style.format) {
    case Format::json: return report::plan_json(report, say).dump();
    case Format::markdown: return report::plan_markdown(report, style, say);
    case Format::terminal: break;
  }
  return report::plan_terminal(report, style, say);
}

std::string render_plans(const std::vector<PlanReport>& reports, const Style& style,
                         const Catalogue& say) {
  if (reports.size() == 1) return render_plan(reports.front(), style, say);
  if (style.format == Format::json) return report::plans_json(reports, say).dump();
  std::string out;
  for (const auto& one : reports) {
    if (!out.empty()) out += "\n";
    const bool markdown = style.format == Format::markdown;
    const std::string path =
        markdown ? one.environment : report::short_path(one.environment, style);
    out += markdown ? "# " + report::md_code(path) + "\n\n"
                    : report::paint(path, report::Ink::strong, style) + "\n";
    out += render_plan(one, style, say);
  }
  return out;
}

}  // namespace kernelfit
