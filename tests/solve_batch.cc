// SPDX-License-Identifier: Apache-2.0
// Answers many what-if requests in one process: a JSON object a line in, a JSON object a line out.
// For the property test and for scoring the what-if scenarios; not part of the program.
//
//   {"gpus": ["10de:1b06"], "driver": "580.95.05", "os": "linux", "arch": "x86_64",
//    "python": "3.12", "glibc": "2.36", "want": "2.15.*", "installed": ["torch==2.13.0+cpu"],
//    "jetpack": "6.1", "pins": ["torchvision==0.29.1+cu126"]}
//
// "driver": "none" is no driver; what is left out is unknown.
#include <iostream>
#include <string>

#include "base/json.h"
#include "message/message.h"
#include "plan/offline.h"
#include "plan/plan.h"
#include "pyenv/requirement.h"
#include "solve/wish.h"

namespace {

using namespace kernelfit;

Fact<DottedVersion> version_fact(std::string_view text) {
  if (text.empty()) return {};
  if (text == "none") return Fact<DottedVersion>::absent("given");
  const auto version = DottedVersion::parse(text);
  return version ? Fact<DottedVersion>::given(*version) : Fact<DottedVersion>();
}

std::vector<GpuArch> archs(std::string_view list) {
  return parse_arch_list(list);
}

void add_pin(const std::string& text, Request& request) {
  const auto asked = parse_requirement(text);
  const auto specifier = asked ? VersionSpecifier::parse(asked->specifier) : std::nullopt;
  if (!specifier) return;
  const auto named = solving::without_build(*specifier);
  request.pins.push_back({asked->name, named.version, named.build});
  request.also.push_back(text);
  if (request.wanted_build.empty()) request.wanted_build = named.build;
}

Request request_of(const Json& json, const Knowledge& knowledge) {
  Request request;
  for (const std::string& text : json.at("gpus").strings()) {
    const auto gpu = gpu_from_text(text, knowledge);
    if (gpu) request.cards.push_back(identify(*gpu, knowledge));
  }
  request.no_gpu = json.at("no_gpu").boolean();
  request.driver = version_fact(json.at("driver").string());
  request.os = json.at("os").string();
  if (!json.at("arch").string().empty()) request.cpu_arch = json.at("arch").string();
  std::string python(json.at("python").string());
  request.conda = json.at("conda").boolean();
  request.free_threaded = python.ends_with("t");
  if (request.free_threaded) python.pop_back();
  request.python = version_fact(python);
  request.glibc = version_fact(json.at("glibc").string());
  request.jetpack = json.at("jetpack").string();
  request.l4t = json.at("l4t").string();
  const std::string want(json.at("want").string());
  if (!want.empty()) {
    if (const auto wanted = VersionSpecifier::parse("==" + want)) request.wanted = *wanted;
  }
  for (const std::string& text : json.at("pins").strings()) add_pin(text, request);
  for (const std::string& text : json.at("installed").strings()) {
    const std::size_t at = text.find("==");
    if (at == std::string::npos) continue;
    request.installed.push_back({text.substr(0, at), text.substr(at + 2), {}});
  }
  for (const auto& [name, list] : json.at("archs").members()) {
    for (Installed& installed : request.installed) {
      if (installed.name == name) installed.archs = archs(list.string());
    }
  }
  return request;
}

Json said(const std::vector<Said>& sentences, const Catalogue& say) {
  Json out = Json::array();
  for (const Said& sentence : sentences) out.push(say(sentence.key, sentence.values));
  return out;
}

Json choice_json(const Choice& choice, const Catalogue& say) {
  Json out = Json::object();
  out["torch"] = choice.torch;
  out["build"] = choice.build_name;
  out["channel"] = choice.channel;
  out["torchvision"] = choice.torchvision;
  out["torchaudio"] = choice.torchaudio;
  out["python"] = choice.python.text();
  out["wheel_tags"] = choice.wheel_tags;
  out["minimum"] = choice.driver.minimum.text();
  out["last_branch"] = choice.driver.last_branch;
  Json per_gpu = Json::array();
  for (const PerGpu& gpu : choice.per_gpu) per_gpu.push(std::string(text_of(gpu.runs)));
  out["per_gpu"] = per_gpu;
  if (!choice.when.key.empty()) out["when"] = say(choice.when.key, choice.when.values);
  return out;
}

Json commands_json(const std::vector<CommandBlock>& blocks, const Catalogue& say) {
  Json out = Json::array();
  for (const CommandBlock& block : blocks) {
    Json json = Json::object();
    json["tool"] = block.tool;
    json["shell"] = block.shell;
    json["lines"] = block.lines;
    if (!block.when.key.empty()) json["when"] = say(block.when.key, block.when.values);
    out.push(json);
  }
  return out;
}

void add_conflict(Json& out, const Conflict& conflict, const Catalogue& say) {
  Json parts = Json::array();
  for (const Conflict::Part& part : conflict.parts) {
    Json json = Json::object();
    json["kind"] = part.kind;
    json["value"] = part.value;
    json["because"] = say(part.because.key, part.because.values);
    parts.push(json);
  }
  out["conflict"]["parts"] = parts;
  out["conflict"]["change"] = conflict.change;
  out["conflict"]["advice"] = say(conflict.advice.key, conflict.advice.values);
}

Json answer_json(const Answer& answer, const Catalogue& say) {
  Json out = Json::object();
  out["verdict"] = text_of(answer.verdict);
  if (answer.choice) out["choice"] = choice_json(*answer.choice, say);
  if (answer.after_driver) out["after"]["driver"] = answer.after_driver->text();
  if (answer.after_python) out["after"]["python"] = answer.after_python->text();
  out["why"] = said(answer.why, say);
  Json alternatives = Json::array();
  for (const Choice& choice : answer.alternatives) alternatives.push(choice_json(choice, say));
  out["alternatives"] = alternatives;
  out["caveats"] = said(answer.caveats, say);
  out["avoid"] = said(answer.avoid, say);
  out["questions"] = said(answer.questions, say);
  if (answer.conflict) add_conflict(out, *answer.conflict, say);
  Json components = Json::array();
  for (const auto& one : answer.components) components.push(one.package + " " + one.wanted);
  out["components"] = components;
  Json variants = Json::array();
  for (const VariantAnswer& variant : answer.variants) {
    Json json = answer_json(variant.answer, say);
    json["chip"] = variant.card.chip;
    json["capability"] = variant.card.capability.has() ? variant.card.capability->text() : "";
    variants.push(json);
  }
  if (!answer.variants.empty()) out["variants"] = variants;
  return out;
}

PlanOptions options_of(const Json& json) {
  PlanOptions options;
  options.mirror = json.at("mirror").string();
  options.interpreter = json.at("interpreter").string();
  options.manager = json.at("manager").string();
  options.damaged = json.at("damaged").boolean();
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Knowledge knowledge = Knowledge::embedded();
  const Catalogue say = load_catalogue(argc > 1 ? argv[1] : "en");
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto json = parse_json(line);
    if (!json) {
      std::cout << "{\"error\": true}\n";
      continue;
    }
    const Request request = request_of(*json, knowledge);
    Plan plan = make_plan(request, solve(request, knowledge), options_of(*json), knowledge);
    const std::string folder(json->at("offline").string());
    if (!folder.empty()) make_offline(plan, request, options_of(*json), folder, knowledge);
    Json out = answer_json(plan.answer, say);
    out["commands"] = commands_json(plan.commands, say);
    Json alternatives = Json::array();
    for (const auto& blocks : plan.alternative_commands)
      alternatives.push(commands_json(blocks, say));
    out["alternative_commands"] = alternatives;
    out["notes"] = said(plan.notes, say);
    std::cout << out.dump_compact() << "\n";
  }
  return 0;
}
