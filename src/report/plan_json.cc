// SPDX-License-Identifier: Apache-2.0
// docs/contract.md 3, "plan"; schemas/plan.schema.json is this file said again.
#include "report/json_parts.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

// "3.13t": the free-threaded build is another Python to every wheel.
Json python_fact_json(const Request& request) {
  Json out = fact_json(request.python);
  if (request.python.has() && request.free_threaded) out["value"] = request.python->text() + "t";
  return out;
}

Json request_json(const PlanReport& report) {
  const Request& request = report.request;
  Json gpus = Json::array();
  for (const auto& card : request.cards) gpus.push(card_json(card));
  Json installed = Json::array();
  for (const auto& one : request.installed) installed.push(one.name + "==" + one.version);
  Json out = Json::object();
  out.add("gpus", std::move(gpus));
  out.add("no_gpu", request.no_gpu);
  out.add("driver", fact_json(request.driver));
  out.add("os", text_json(request.os));
  out.add("cpu_arch", text_json(request.cpu_arch));
  out.add("python", python_fact_json(request));
  out.add("glibc", fact_json(request.glibc));
  out.add("jetpack", text_json(request.jetpack));
  out.add("l4t", text_json(request.l4t));
  out.add("wanted", text_json(request.wanted.text()));
  out.add("wanted_build", text_json(request.wanted_build));
  Json pins = Json::array();
  for (const auto& pin : request.pins)
    pins.push(pin.package + pin.version.text() + (pin.build.empty() ? "" : "+" + pin.build));
  out.add("pins", std::move(pins));
  out.add("also", strings_json(request.also));
  out.add("installed", std::move(installed));
  out.add("env", text_json(report.environment));
  return out;
}

Json per_gpu_json(const std::vector<PerGpu>& per_gpu) {
  Json out = Json::array();
  for (const auto& gpu : per_gpu) {
    Json item = Json::object();
    item.add("gpu", gpu.gpu);
    item.add("runs", text_of(gpu.runs));
    item.add("by", gpu.used ? Json(gpu.used->text()) : Json());
    item.add("cudnn", gpu.cudnn);
    out.push(std::move(item));
  }
  return out;
}

Json choice_json(const Choice& choice) {
  Json out = Json::object();
  out.add("torch", choice.torch);
  out.add("build", choice.build_name);
  out.add("channel", choice.channel);
  out.add("torchvision", text_json(choice.torchvision));
  out.add("torchaudio", text_json(choice.torchaudio));
  const std::string python = choice.python.text();
  out.add("python", text_json(choice.free_threaded && !python.empty() ? python + "t" : python));
  out.add("wheel_tags", strings_json(choice.wheel_tags));
  out.add("confidence", text_of(choice.confidence));
  return out;
}
Json choice_json(const std::optional<Choice>& choice) {
  return choice ? choice_json(*choice) : Json();
}

Json after_json(const Answer& answer) {
  if (!answer.after_driver && !answer.after_python) return {};
  Json out = Json::object();
  out.add("driver", answer.after_driver ? version_json(*answer.after_driver) : Json());
  out.add("python", answer.after_python ? version_json(*answer.after_python) : Json());
  return out;
}

Json alternatives_json(const Plan& plan, const Catalogue& say) {
  Json out = Json::array();
  for (std::size_t i = 0; i < plan.answer.alternatives.size(); ++i) {
    const Choice& choice = plan.answer.alternatives[i];
    Json item = choice_json(choice);
    item.add("driver", need_json(choice.driver));
    item.add("per_gpu", per_gpu_json(choice.per_gpu));
    item.add("when", text_json(text_of(choice.when, say)));
    bool has = i < plan.alternative_commands.size();
    item.add("commands", has ? commands_json(plan.alternative_commands[i], say) : Json::array());
    out.push(std::move(item));
  }
  return out;
}

Json variants_json(const PlanReport& report, const Catalogue& say) {
  Json out = Json::array();
  const auto& variants = report.plan.answer.variants;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Card& card = variants[i].card;
    Json item = Json::object();
    item.add("pci_ids", strings_json(card.pci_ids));
    item.add("chip", text_json(card.chip));
    item.add("compute_capability", card.capability.has() ? Json(card.capability->text()) : Json());
    item.add("verdict", text_of(variants[i].answer.verdict));
    item.add("choice", choice_json(variants[i].answer.choice));
    item.add("after", after_json(variants[i].answer));
    bool has = i < report.variants.size();
    item.add("commands", has ? commands_json(report.variants[i].commands, say) : Json::array());
    out.push(std::move(item));
  }
  return out;
}

Remarks all_remarks(const PlanReport& report) {
  Remarks out = report.remarks;
  out.notes.insert(out.notes.begin(), report.plan.notes.begin(), report.plan.notes.end());
  return out;
}

}  // namespace

Json plan_json(const PlanReport& report, const Catalogue& say) {
  const Answer& answer = report.plan.answer;
  Json out = head_json("plan", report.knowledge);
  out.add("request", request_json(report));
  out.add("verdict", text_of(answer.verdict));
  out.add("summary", headline(answer, report.request, say));
  out.add("after", after_json(answer));
  out.add("choice", choice_json(answer.choice));
  out.add("commands", commands_json(report.plan.commands, say));
  out.add("why", said_json(answer.why, say));
  out.add("driver", answer.choice ? need_json(answer.choice->driver) : Json());
  out.add("per_gpu", answer.choice ? per_gpu_json(answer.choice->per_gpu) : Json::array());
  out.add("alternatives", alternatives_json(report.plan, say));
  out.add("variants", variants_json(report, say));
  out.add("questions", said_json(answer.questions, say));
  out.add("caveats", said_json(answer.caveats, say));
  out.add("avoid", said_json(answer.avoid, say));
  out.add("conflict", conflict_json(answer.conflict, say));
  out.add("cpu_only", answer.cpu_only);
  add_remarks(out, all_remarks(report), say);
  return out;
}

Json plans_json(const std::vector<PlanReport>& reports, const Catalogue& say) {
  Json out = plan_json(reports.front(), say);
  Json all = Json::array();
  for (const auto& report : reports) all.push(plan_json(report, say));
  out.add("plans", std::move(all));
  return out;
}

}  // namespace kernelfit::report
