// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts_plan.h"

#include <algorithm>

#include "base/text.h"
#include "solve/companions.h"
#include "solve/cpu.h"
#include "solve/host_conflict.h"
#include "solve/left_out.h"

namespace kernelfit {
namespace {

const Plan* plan_for(const Situation& situation, int environment) {
  const auto& plans = situation.plans;
  std::size_t environments = situation.machine.environments.size();
  std::size_t at = environment >= 0 ? static_cast<std::size_t>(environment) : environments;
  return at < plans.size() ? &plans[at] : nullptr;
}

// "torch 2.13.0+cu126", "pytorch 2.4.1 cuda11.8 of conda-forge"
std::string target_of(const Choice& choice) {
  if (choice.channel == "pip") return "torch " + choice.torch + "+" + choice.build_name;
  std::string build = choice.build_name.empty() ? "" : " " + choice.build_name;
  return "torch " + choice.torch + build + " (" + choice.channel + ")";
}

bool serves_all(const Choice& choice) {
  return !choice.per_gpu.empty() &&
         std::all_of(choice.per_gpu.begin(), choice.per_gpu.end(), [](const PerGpu& one) {
           return one.runs == Verdict::native || one.runs == Verdict::ptx_jit;
         });
}

void set_choice(Facts& facts, const Choice* choice) {
  for (auto name :
       {"plan.torch", "plan.build", "plan.channel", "plan.torchvision", "plan.torchaudio",
        "plan.python", "plan.target", "plan.gpu_target", "plan.driver_minimum"}) {
    facts.set_absent(name);
  }
  facts.set_truth("plan.serves_all", choice != nullptr && serves_all(*choice));
  facts.set_truth("plan.cpu", choice != nullptr && choice->build_name == "cpu");
  if (choice == nullptr) return;
  facts.set_text("plan.torch", choice->torch);
  facts.set_text("plan.build", choice->build_name);
  facts.set_text("plan.channel", choice->channel);
  facts.set_text("plan.torchvision", choice->torchvision);
  facts.set_text("plan.torchaudio", choice->torchaudio);
  facts.set_text("plan.python", choice->python.text());
  facts.set_text("plan.target", target_of(*choice));
  facts.set_text("plan.gpu_target", choice->build_name == "cpu" ? "" : target_of(*choice));
  facts.set_text("plan.driver_minimum", choice->driver.minimum.text());
}

// Nothing runs on the cards: the plan's commands are those of the CPU build.
void set_cpu(Facts& facts, const Request& request, const Knowledge& knowledge) {
  const auto cpu = solving::cpu_choice(request, knowledge);
  if (!cpu) return;
  facts.set_known("plan.target", target_of(*cpu));
  facts.set_truth("plan.cpu", true);
}

CommandList list_of(const CommandBlock& block) {
  return {block.lines, block.when};
}

// What stands beside torch and asks for another one: it has to be known before torch is exchanged.
Said beside_torch(const Answer& answer) {
  std::vector<const Said*> found;
  std::vector<std::string> names;
  for (const Said& caveat : answer.caveats) {
    if (!solving::is_about_one_torch(caveat)) continue;
    found.push_back(&caveat);
    for (const auto& [key, value] : caveat.values) {
      if (key == "package") names.push_back(value);
    }
  }
  if (found.empty()) return {};
  if (found.size() == 1) return *found.front();
  return {"diagnose.fix.beside-torch", {{"packages", join(names, ", ")}}};
}

CommandList with_remark(CommandList list, const Answer& answer) {
  if (!list.lines.empty() && !tells_more(list.when)) {
    Said beside = beside_torch(answer);
    if (!beside.key.empty()) list.when = std::move(beside);
  }
  return list;
}

// The first block is the one that fits how the environment was made; a block about the driver or
// about Python is another step, said by other fixes.
CommandList install_commands(const Plan& plan) {
  for (const auto& block : plan.commands) {
    if (block.tool == "pip" || block.tool == "uv" || block.tool == "conda")
      return with_remark(list_of(block), plan.answer);
  }
  bool none = plan.commands.empty() || plan.commands.front().tool == "driver";
  return none ? CommandList() : list_of(plan.commands.front());
}

bool of_conda(const Choice& choice) {
  return choice.channel.starts_with("conda");
}

// Does the installed torch stay where it is? What would be put beside it fits no other.
void set_keeps_torch(Facts& facts, const Answer& answer) {
  const bool stays = answer.verdict == PlanVerdict::keep ||
                     answer.verdict == PlanVerdict::fix_component || answer.keeps_installed;
  if (answer.verdict == PlanVerdict::ask) {
    const bool runs = facts.at("env.torch.runs_on").text != "0";
    if (!runs || facts.at("env.torch.fails_on").text != "0") {
      return facts.set_unknown("plan.keeps_torch");
    }
    return facts.set_truth("plan.keeps_torch", true);
  }
  facts.set_truth("plan.keeps_torch", stays);
}

CommandList of_tool(const std::vector<CommandBlock>& blocks, std::string_view tool) {
  for (const auto& block : blocks) {
    if (block.tool == tool) return list_of(block);
  }
  return {};
}

// What conda itself offers: the choice or, where that is a wheel, the first alternative of conda.
void set_conda(Facts& facts, const Plan* plan) {
  facts.set_absent("plan.conda_target");
  facts.set_commands("plan.conda_commands", {});
  if (plan == nullptr) return;
  auto offer = [&](const Choice& choice, const std::vector<CommandBlock>& blocks) {
    CommandList list = of_tool(blocks, "conda");
    if (!of_conda(choice) || list.lines.empty()) return false;
    facts.set_known("plan.conda_target", target_of(choice));
    facts.set_commands("plan.conda_commands", std::move(list));
    return true;
  };
  if (plan->answer.choice && offer(*plan->answer.choice, plan->commands)) return;
  const auto& alternatives = plan->answer.alternatives;
  std::size_t count = std::min(alternatives.size(), plan->alternative_commands.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (offer(alternatives[i], plan->alternative_commands[i])) return;
  }
}

// Where the distribution is not known a plan goes on with the packages of several; here one remark
// names the place.
CommandList driver_list(const Situation& situation, const Request& request,
                        const std::optional<DottedVersion>& driver) {
  if (!driver || situation.machine.system.l4t.has()) return {};  // Jetson: JetPack brings it
  auto list = of_tool(driver_commands(request, *driver, situation.knowledge), "driver");
  if (list.when.key == "plan.when.driver-any-system") list.when.key = "diagnose.fix.any-system";
  return list;
}

// The cards that no driver of this system serves together, and what is left to do.
void set_driver_conflict(Facts& facts, const std::optional<Conflict>& conflict) {
  std::vector<std::string> cards;
  if (conflict) {
    for (const auto& part : conflict->parts) {
      if (part.kind == "gpu") cards.push_back(part.value);
    }
  }
  facts.set_text("needed_driver.conflict", join(cards, ", "), "table");
  facts.set_commands("needed_driver.way_out", {{}, conflict ? conflict->advice : Said()});
}

}  // namespace

void set_plan(Facts& facts, const Situation& situation, int environment) {
  const Plan* plan = plan_for(situation, environment);
  set_conda(facts, plan);
  if (plan == nullptr) {
    facts.set_unknown("plan.verdict");
    set_choice(facts, nullptr);
    facts.set_unknown("plan.serves_all");
    facts.set_unknown("plan.keeps_torch");
    facts.set_commands("plan.container_commands", {});
    facts.set_absent("plan.after_driver");
    facts.set_absent("plan.after_python");
    facts.set_commands("plan.driver_commands", {});
    facts.set_commands("plan.question", {});
    return facts.set_commands("plan.commands", {});
  }
  const Answer& answer = plan->answer;
  facts.set_known("plan.verdict", std::string(text_of(answer.verdict)));
  Request request = request_for(situation.machine, situation.judgement, environment);
  set_choice(facts, answer.choice ? &*answer.choice : nullptr);
  if (answer.cpu_only && !answer.choice) set_cpu(facts, request, situation.knowledge);
  if (answer.verdict == PlanVerdict::ask) facts.set_unknown("plan.serves_all");
  facts.set_text("plan.after_driver", answer.after_driver ? answer.after_driver->text() : "");
  facts.set_text("plan.after_python", answer.after_python ? answer.after_python->text() : "");
  const bool asks = answer.verdict == PlanVerdict::ask && !answer.questions.empty();
  facts.set_commands("plan.question", {{}, asks ? answer.questions.front() : Said()});
  set_keeps_torch(facts, answer);
  facts.set_commands("plan.commands", install_commands(*plan));
  facts.set_commands("plan.container_commands", of_tool(plan->commands, "docker"));
  facts.set_commands("plan.driver_commands", driver_list(situation, request, answer.after_driver));
}

void set_plan_of_card(Facts& facts, const Situation& situation, int environment, int gpu) {
  const Plan* plan = plan_for(situation, environment);
  const auto at = static_cast<std::size_t>(gpu);
  const bool known = plan != nullptr && gpu >= 0 && at < situation.judgement.cards.size();
  facts.set_truth("verdict.left_out",
                  known && solving::is_left_out(situation.judgement.cards[at], plan->answer));
}

void set_needed_driver(Facts& facts, const Situation& situation, int environment,
                       const DriverNeed& need) {
  const Knowledge& knowledge = situation.knowledge;
  DriverOs os = driver_os_of(situation.machine);
  Request request = request_for(situation.machine, situation.judgement, environment);
  auto conflict = host_conflict(request, knowledge);
  set_driver_conflict(facts, conflict);
  facts.set_text("needed_driver.minimum", need.minimum.text(), "table");
  facts.set_truth("needed_driver.impossible", need.impossible);
  std::optional<DottedVersion> install;
  if (!need.impossible && !conflict) install = driver_to_install(need, os, knowledge);
  const DriverBranch* branch = install ? branch_of(*install, os, knowledge) : nullptr;
  facts.set_text("needed_driver.install", install ? install->text() : "", "table");
  facts.set_text("needed_driver.branch", branch ? std::to_string(branch->branch) : "", "table");
  facts.set_commands("needed_driver.commands", driver_list(situation, request, install));
}

void set_needed_driver_of_cards(Facts& facts, const Situation& situation) {
  std::vector<Card> known;
  for (const auto& card : situation.judgement.cards) {
    if (card.capability.has()) known.push_back(card);
  }
  DriverNeed need;
  if (!known.empty()) {
    need = driver_needed(DottedVersion(), {}, false, known, driver_os_of(situation.machine),
                         situation.knowledge);
  }
  set_needed_driver(facts, situation, -1, need);
}

}  // namespace kernelfit
