// SPDX-License-Identifier: Apache-2.0
#include "solve/host_conflict.h"

#include <algorithm>

#include "solve/conflict.h"
#include "solve/fitter.h"

namespace kernelfit {
namespace {

Conflict::Part gpu_part(const Card& card, std::string key) {
  return {"gpu",
          card.label,
          {std::move(key),
           {{"value", card.label},
            {"capability", card.capability.has() ? card.capability->text() : "?"},
            {"first", std::to_string(card.first_branch)}}}};
}

std::optional<Conflict> wsl_conflict(const Request& request, const Knowledge& knowledge) {
  if (request.os != "wsl") return std::nullopt;
  const auto card = std::find_if(request.cards.begin(), request.cards.end(), [&](const Card& one) {
    return wsl_support(one, knowledge) == WslSupport::none;
  });
  if (card == request.cards.end()) return std::nullopt;
  Conflict out;
  out.parts = {gpu_part(*card, "solve.conflict.gpu-wsl"),
               {"os", request.os, {"solve.conflict.os-wsl", {{"value", request.os}}}}};
  out.change = "os";
  out.advice = {"solve.conflict.change.os-wsl", {{"value", card->label}}};
  return out;
}

Said leave_one_out(const Card& card) {
  return {"solve.conflict.change.gpu", {{"value", card.label}}};
}

std::optional<Conflict> flavor_conflict(const Request& request) {
  if (!solving::flavors_conflict(request.cards, request.os)) return std::nullopt;
  Conflict out;
  for (const std::string_view flavor : {"proprietary", "open"}) {
    const auto card =
        std::find_if(request.cards.begin(), request.cards.end(),
                     [&](const Card& one) { return module_flavor_for(one) == flavor; });
    if (out.parts.empty()) out.advice = leave_one_out(*card);
    out.parts.push_back(gpu_part(*card, "solve.conflict.gpu-" + std::string(flavor)));
  }
  out.parts.push_back({"os", request.os, {"solve.conflict.os-one-module", {}}});
  out.change = "gpu";
  return out;
}

// The card whose branches end first and the one whose branches begin last.
std::optional<Conflict> branch_conflict(const Request& request) {
  const DriverOs os = solving::driver_os(request);
  const Card *ends = nullptr, *begins = nullptr;
  for (const Card& card : request.cards) {
    const int last = last_branch_of(card, os);
    if (last != 0 && (ends == nullptr || last < last_branch_of(*ends, os))) ends = &card;
    if (begins == nullptr || card.first_branch > begins->first_branch) begins = &card;
  }
  if (ends == nullptr || begins->first_branch <= last_branch_of(*ends, os)) return std::nullopt;
  Conflict out;
  out.parts = {gpu_part(*ends, "solve.conflict.gpu-branch-last"),
               gpu_part(*begins, "solve.conflict.gpu-branch-first")};
  out.parts.front().because.values.emplace_back("last", std::to_string(last_branch_of(*ends, os)));
  out.change = "gpu";
  out.advice = leave_one_out(*ends);
  return out;
}

}  // namespace

std::optional<Conflict> host_conflict(const Request& request, const Knowledge& knowledge) {
  if (auto wsl = wsl_conflict(request, knowledge)) return wsl;
  if (auto flavor = flavor_conflict(request)) return flavor;
  return branch_conflict(request);
}

}  // namespace kernelfit
