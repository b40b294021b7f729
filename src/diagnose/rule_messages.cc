// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "diagnose/rule.h"

namespace kernelfit {
namespace {

// "log.no-kernel-image", "log.found-version.number", "log.count.oom": the message alone.
std::string message_in(std::string_view fact) {
  for (std::string_view prefix : {"log.", "log.count."}) {
    if (!fact.starts_with(prefix)) continue;
    const auto id = fact.substr(prefix.size(), fact.find('.', prefix.size()) - prefix.size());
    if (id != "count") return std::string(id);
  }
  return {};
}

}  // namespace

std::vector<std::string> messages_of(const Rule& rule) {
  std::vector<std::string> out;
  auto add = [&](std::string_view fact) {
    if (std::string id = message_in(fact); !id.empty()) out.push_back(std::move(id));
  };
  for (const Condition* condition : {&rule.condition, &rule.paste_condition}) {
    for (const auto& fact : condition->wanted()) add(fact);
  }
  for (const auto& proof : rule.evidence) add(proof.fact);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace kernelfit
