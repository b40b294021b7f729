// SPDX-License-Identifier: Apache-2.0
#include "solve/cause.h"

#include <algorithm>

#include "base/text.h"
#include "solve/host_conflict.h"

namespace kernelfit::solving {
namespace {

std::vector<std::string> cards_of(const Conflict& conflict) {
  std::vector<std::string> out;
  for (const Conflict::Part& part : conflict.parts) {
    if (part.kind == "gpu") out.push_back(part.value);
  }
  return out;
}

bool says(const Conflict& conflict, std::string_view because) {
  return std::any_of(conflict.parts.begin(), conflict.parts.end(), [&](const Conflict::Part& part) {
    return part.because.key.starts_with(because);
  });
}

std::string kind_of(const Conflict& conflict, std::size_t cards) {
  if (says(conflict, "solve.conflict.gpu-wsl")) return "wsl";
  if (says(conflict, "solve.conflict.os-one-module") || says(conflict, "solve.conflict.gpu-branch"))
    return "host";
  if (says(conflict, "solve.conflict.musl")) return "musl";
  if (conflict.change == "gpu") return cards > 1 ? "together" : "card";
  if (!conflict.also_change.empty()) return "several";
  const bool named = conflict.change == "glibc" || conflict.change == "os" ||
                     conflict.change == "python" || conflict.change == "driver";
  return named ? conflict.change : "several";
}

}  // namespace

Said cause_of(const std::optional<Conflict>& conflict, const Request& request,
              const Knowledge& knowledge) {
  std::vector<std::string> cards = conflict ? cards_of(*conflict) : std::vector<std::string>();
  std::string kind = conflict ? kind_of(*conflict, cards.size()) : "several";
  if (kind == "together" && host_conflict(request, knowledge)) kind = "host";
  if (cards.empty()) {
    for (const Card& card : request.cards) cards.push_back(card.label);
  }
  std::sort(cards.begin(), cards.end());
  cards.erase(std::unique(cards.begin(), cards.end()), cards.end());
  return {"solve.cause." + kind,
          {{"gpu", join(cards, ", ")},
           {"glibc", request.glibc.has() ? request.glibc->text() : ""},
           {"python", request.python.has() ? request.python->text() : ""},
           {"driver", request.driver.has() ? request.driver->text() : ""},
           {"os", request.os},
           {"arch", request.cpu_arch}}};
}

}  // namespace kernelfit::solving
