// SPDX-License-Identifier: Apache-2.0
// Is there a card, is it known, which of its variants is it, which board: then solver.h chooses.
#include "solve/solve.h"

#include <algorithm>

#include "base/text.h"
#include "solve/cpu.h"
#include "solve/jetson.h"
#include "solve/left_out.h"
#include "solve/solver.h"

namespace kernelfit {
namespace {

using solving::is_board;
using solving::is_jetson;

// Jetson boards are aarch64, their driver is part of the JetPack whatever number it shows, and
// JetPack 7 drivers run server-Arm code (docs/compatibility.md 1).
Request settled(Request request) {
  if (!is_board(request)) return request;
  request.cpu_arch = "aarch64";
  request.driver = Fact<DottedVersion>::unknown("part of the JetPack");
  const auto jetpack = DottedVersion::parse(request.jetpack);
  const bool sbsa = jetpack && jetpack->major() >= 7;
  for (Card& card : request.cards) card.sbsa_tegra_rule = card.sbsa_tegra_rule || sbsa;
  return request;
}

// A JetPack of several boards, and nobody told which.
std::optional<Answer> unnamed_board(const Request& request, const Knowledge& knowledge) {
  std::vector<std::string> boards;
  if (!request.no_gpu) {
    for (const auto& capability : solving::boards_of(request.jetpack, knowledge))
      boards.push_back(capability.text());
  }
  if (boards.empty()) return std::nullopt;
  Answer answer;
  answer.verdict = PlanVerdict::ask;
  answer.questions.push_back({"solve.ask.jetpack-board",
                              {{"jetpack", request.jetpack},
                               {"capabilities", join(boards, ", ")},
                               {"example", boards.back()}}});
  return answer;
}

Answer without_cards(const Request& request, const Knowledge& knowledge) {
  if (auto board = unnamed_board(request, knowledge)) return *std::move(board);
  Answer answer;
  if (!request.no_gpu) {
    answer.verdict = PlanVerdict::ask;
    answer.questions.push_back({"solve.ask.gpu", {}});
    return answer;
  }
  answer.verdict = PlanVerdict::no_build;
  answer.cpu_only = true;
  answer.cause = {"solve.cause.no-gpu", {}};
  answer.why.push_back({"solve.why.no-gpu", {}});
  return answer;
}

bool same_answer(const Answer& a, const Answer& b) {
  if (a.verdict != b.verdict || a.choice.has_value() != b.choice.has_value()) return false;
  if (a.cause.key != b.cause.key) return false;  // "works outside WSL" is not true of every chip
  return !a.choice ||
         (a.choice->torch == b.choice->torch && a.choice->build_name == b.choice->build_name &&
          a.choice->channel == b.choice->channel);
}

Answer answer_to(const Request& request, const Knowledge& knowledge);

// All cards of the ambiguous name become the same variant: nobody has two chips of one name
// without the driver or the bus telling them apart.
Request with_variant(const Request& request, const Card& ambiguous, const Card& variant) {
  Request out = request;
  for (Card& card : out.cards) {
    if (card.label != ambiguous.label || card.variants.empty()) continue;
    card = variant;
    if (card.label.empty()) card.label = ambiguous.label;
  }
  return out;
}

bool has_said(const std::vector<Said>& all, const Said& one) {
  return std::any_of(all.begin(), all.end(), [&](const Said& other) {
    return other.key == one.key && other.values == one.values;
  });
}

// One answer for all chips: how it runs on each of them, where they have names of their own.
Answer one_for_all(const std::vector<VariantAnswer>& variants) {
  Answer answer = variants.front().answer;
  for (const VariantAnswer& variant : variants) {
    if (!answer.choice || !variant.answer.choice) break;
    auto& per_gpu = answer.choice->per_gpu;
    for (const PerGpu& one : variant.answer.choice->per_gpu) {
      const bool there = std::any_of(per_gpu.begin(), per_gpu.end(),
                                     [&](const PerGpu& other) { return other.gpu == one.gpu; });
      if (!there) per_gpu.push_back(one);
    }
    for (const Said& why : variant.answer.why) {
      if (!has_said(answer.why, why)) answer.why.push_back(why);
    }
  }
  return answer;
}

Answer by_variant(const Request& request, const Card& ambiguous, const Knowledge& knowledge) {
  Answer answer;
  for (const Card& variant : ambiguous.variants)
    answer.variants.push_back(
        {variant, answer_to(with_variant(request, ambiguous, variant), knowledge)});
  const Answer& first = answer.variants.front().answer;
  const bool alike =
      std::all_of(answer.variants.begin(), answer.variants.end(),
                  [&](const VariantAnswer& variant) { return same_answer(variant.answer, first); });
  if (alike) return one_for_all(answer.variants);
  answer.verdict = PlanVerdict::ask;
  answer.questions.push_back({request.os == "windows" ? "solve.ask.variant-windows"
                              : request.os == "wsl"   ? "solve.ask.variant-wsl"
                                                      : "solve.ask.variant-linux",
                              {{"gpu", ambiguous.label}}});
  return answer;
}

std::optional<Answer> unclear_cards(const Request& request, const Knowledge& knowledge) {
  for (const Card& card : request.cards) {
    if (!card.variants.empty()) return by_variant(request, card, knowledge);
  }
  for (const Card& card : request.cards) {
    if (card.capability.has()) continue;
    Answer answer;
    answer.verdict = PlanVerdict::ask;
    answer.questions.push_back({"solve.ask.capability", {{"gpu", card.label}}});
    return answer;
  }
  return std::nullopt;
}

// 11.0 (Thor) is in official wheels; every other Tegra needs to know its JetPack.
std::optional<Answer> unclear_board(const Request& request, const Knowledge& knowledge) {
  if (auto conflict = solving::no_such_board(request, knowledge)) {
    Answer answer;
    answer.conflict = *std::move(conflict);
    answer.questions.push_back({"solve.ask.board", {}});
    return answer;
  }
  const auto jetpack = DottedVersion::parse(request.jetpack);
  if (jetpack && !solving::is_known_line(*jetpack, knowledge)) {
    Answer answer;
    answer.questions.push_back({"solve.ask.jetpack-unknown",
                                {{"jetpack", jetpack->text()},
                                 {"known", join(solving::known_jetpacks(knowledge), ", ")}}});
    answer.avoid.push_back({"solve.avoid.jetson-driver", {}});
    return answer;
  }
  if (is_jetson(request)) return std::nullopt;
  for (const Card& card : request.cards) {
    if (!card.tegra || *card.capability >= ComputeCapability{10, 0}) continue;
    if (!solving::has_jetson_builds(card, knowledge)) continue;
    Answer answer;
    answer.verdict = PlanVerdict::ask;
    answer.questions.push_back({"solve.ask.jetpack", {{"gpu", card.label}}});
    answer.avoid.push_back({"solve.avoid.jetson-pypi", {}});
    answer.avoid.push_back({"solve.avoid.jetson-driver", {}});
    return answer;
  }
  return std::nullopt;
}

Answer answer_to(const Request& request, const Knowledge& knowledge) {
  if (auto cpu = solving::answer_for_cpu(request, knowledge)) return *std::move(cpu);
  if (request.cards.empty()) return without_cards(request, knowledge);
  if (auto unclear = unclear_cards(request, knowledge)) return *std::move(unclear);
  if (auto unclear = unclear_board(request, knowledge)) return *std::move(unclear);
  return solving::solve_for_known_cards(request, knowledge);
}

}  // namespace

bool Conflict::asks_for(std::string_view kind) const {
  return change == kind ||
         std::find(also_change.begin(), also_change.end(), kind) != also_change.end();
}

std::string_view text_of(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::install: return "install";
    case PlanVerdict::reinstall: return "reinstall";
    case PlanVerdict::keep: return "keep";
    case PlanVerdict::update_driver: return "update-driver";
    case PlanVerdict::change_python: return "change-python";
    case PlanVerdict::fix_component: return "fix-component";
    case PlanVerdict::ask: return "ask";
    case PlanVerdict::no_build: return "no-build";
  }
  return "ask";
}

Answer solve(const Request& request, const Knowledge& knowledge) {
  const Request settled_request = settled(request);
  Answer answer = answer_to(settled_request, knowledge);
  const bool on_cpu = answer.choice && answer.choice->build_name == "cpu";
  if (!request.left_out.empty() && !on_cpu)
    solving::say_left_out(answer, answer_to(solving::with_left_out(settled_request), knowledge),
                          settled_request);
  return answer;
}

}  // namespace kernelfit
