// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include <algorithm>
#include <array>

#include "plan/container_commands.h"
#include "plan/jetson_commands.h"
#include "plan/parts.h"
#include "plan/python_commands.h"
#include "pyenv/requirement.h"

namespace kernelfit {
namespace {

using planning::component_blocks;
using planning::container_blocks;
using planning::cpu_blocks;
using planning::install_blocks;
using planning::is_windows;
using planning::jetson_blocks;
using planning::jetson_needs;
using planning::mirror_base;
using planning::Target;

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

bool has_torch(const Request& request) {
  return std::any_of(request.installed.begin(), request.installed.end(),
                     [](const Installed& installed) { return installed.name == "torch"; });
}

std::vector<CommandBlock> commands_for(const Choice& choice, const Request& request,
                                       const PlanOptions& options, const Target& target,
                                       const Knowledge& knowledge) {
  if (choice.jetson != nullptr) return jetson_blocks(choice, request, options, target, knowledge);
  return install_blocks(choice, request, options, target, knowledge);
}

// The tool that made the environment comes first; within a tool the order is the plan's.
void sort_by_manager(std::vector<CommandBlock>& blocks, const std::string& manager) {
  std::stable_partition(blocks.begin(), blocks.end(),
                        [&](const CommandBlock& block) { return block.tool == manager; });
}

bool other_python(const Choice& choice, const Request& request) {
  return request.python.has() && !choice.python.empty() &&
         choice.python != request.python->first(2);
}

Request with_driver(Request request, const std::optional<DottedVersion>& driver) {
  if (driver) request.driver = Fact<DottedVersion>::known(*driver, "to be installed");
  return request;
}

std::vector<CommandBlock> environment_commands(const Answer& answer, const Request& request,
                                               const PlanOptions& options,
                                               const Knowledge& knowledge) {
  if (answer.cpu_only) {
    std::vector<CommandBlock> out;
    if (answer.conflict && answer.conflict->asks_for("glibc"))
      out = container_blocks(with_driver(request, answer.after_driver), knowledge);
    append(out, cpu_blocks(request, options, knowledge));
    return out;
  }
  if (!answer.choice) return {};
  Target target;
  target.damaged = options.damaged;
  target.new_environment = answer.after_python.has_value();
  target.clean = !has_torch(request) && !options.interpreter.empty();
  switch (answer.verdict) {
    case PlanVerdict::keep:
      if (!options.damaged) return {};
      break;
    case PlanVerdict::fix_component:
      return component_blocks(answer.components, *answer.choice, request, options, knowledge);
    case PlanVerdict::ask:
    case PlanVerdict::no_build: return {};
    default: break;
  }
  // The installed build stays: only the driver changes.
  if (answer.verdict == PlanVerdict::update_driver && has_torch(request) && answer.keeps_installed)
    return {};
  return commands_for(*answer.choice, request, options, target, knowledge);
}

void add_mirror_notes(Plan& plan, const PlanOptions& options, const Knowledge& knowledge) {
  if (options.mirror.empty() || plan.commands.empty()) return;
  const bool torch = !mirror_base(options.mirror, "torch", knowledge).empty();
  plan.notes.push_back({torch ? "plan.note.mirror-not-checked" : "plan.note.mirror-no-torch",
                        {{"mirror", options.mirror}}});
}

// uv's --torch-backend=auto asks the driver only: for cards that CUDA 13 dropped it would take
// a build without code for them.
void add_backend_note(Plan& plan, const Request& request) {
  const bool old = std::any_of(request.cards.begin(), request.cards.end(), [](const Card& card) {
    return card.capability.has() && *card.capability < ComputeCapability{7, 5};
  });
  const bool new_driver = !request.driver.has() || request.driver->major() >= 580;
  const bool has_uv = std::any_of(plan.commands.begin(), plan.commands.end(),
                                  [](const CommandBlock& block) { return block.tool == "uv"; });
  if (old && new_driver && has_uv) plan.notes.push_back({"plan.note.torch-backend", {}});
}

// torch 2.12 and later: torchaudio is not released with it, and an index need not have it.
void add_audio_note(Plan& plan, const Request& request) {
  if (!plan.answer.choice || plan.commands.empty()) return;
  const std::string& audio = plan.answer.choice->torchaudio;
  const bool left_out =
      !audio.empty() && audio.find('+') == std::string::npos &&
      plan.answer.choice->channel == "pip" &&
      PackageVersion::parse(plan.answer.choice->torch).value_or(PackageVersion()) >=
          *PackageVersion::parse("2.12");
  const bool asked =
      std::any_of(request.also.begin(), request.also.end(), [](const std::string& word) {
        const auto requirement = parse_requirement(word);
        return requirement && requirement->name == "torchaudio";
      });
  if (left_out)
    plan.notes.push_back(
        {asked ? "plan.note.torchaudio-asked" : "plan.note.torchaudio", {{"torchaudio", audio}}});
}

// Since torch takes its CUDA from packages beside it, those can be what is missing.
void add_damaged_note(Plan& plan, const Request& request, const PlanOptions& options) {
  const bool pip = std::any_of(plan.commands.begin(), plan.commands.end(),
                               [](const CommandBlock& block) { return block.tool == "pip"; });
  const bool cuda = plan.answer.choice && plan.answer.choice->channel == "pip" &&
                    plan.answer.choice->build_name.starts_with("cu");
  if (options.damaged && pip && cuda && !is_windows(request))
    plan.notes.push_back({"plan.note.damaged", {}});
}

}  // namespace

bool tells_more(const Said& when) {
  constexpr std::array<std::string_view, 5> kTellApart = {"plan.when.official", "plan.when.pypi",
                                                          "plan.when.cpu", "plan.when.distribution",
                                                          "plan.when.distribution-newer"};
  return !when.key.empty() &&
         std::find(kTellApart.begin(), kTellApart.end(), when.key) == kTellApart.end();
}

Plan make_plan(const Request& request, const Answer& answer, const PlanOptions& options,
               const Knowledge& knowledge) {
  Plan plan;
  plan.answer = answer;
  if (answer.after_driver) {
    append(plan.commands, driver_commands(request, *answer.after_driver, knowledge));
    plan.notes.push_back({"plan.note.restart", {}});
  }
  std::vector<CommandBlock> here = environment_commands(answer, request, options, knowledge);
  sort_by_manager(here, options.manager);
  append(plan.commands, std::move(here));
  for (const Choice& alternative : answer.alternatives) {
    Target target;
    target.new_environment = other_python(alternative, request);
    plan.alternative_commands.push_back(
        commands_for(alternative, request, options, target, knowledge));
  }
  const bool installs = answer.choice && !plan.commands.empty();
  if (installs) append(plan.notes, jetson_needs(*answer.choice, knowledge));
  add_mirror_notes(plan, options, knowledge);
  add_backend_note(plan, request);
  add_audio_note(plan, request);
  add_damaged_note(plan, request, options);
  return plan;
}

}  // namespace kernelfit
