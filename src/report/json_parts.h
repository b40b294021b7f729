// SPDX-License-Identifier: Apache-2.0
// Pieces of JSON that several answers share; their shapes stand in schemas/*.schema.json.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "report/report.h"

namespace kernelfit::report {

// The head of every object: schema, kernelfit, knowledge (docs/contract.md 3).
Json head_json(std::string_view command, const Knowledge& knowledge);

template <typename T>
Json fact_json(const Fact<T>& fact) {
  Json out = Json::object();
  out.add("value", fact.has() ? Json(kernelfit::text_of(fact.value())) : Json());
  out.add("state", text_of(fact.state()));
  out.add("source", fact.source().empty() ? Json() : Json(fact.source()));
  if (fact.is_unknown()) out.add("reason", fact.reason());
  return out;
}

template <typename Items, typename One>
Json array_json(const Items& items, const One& one) {
  Json out = Json::array();
  for (const auto& item : items) out.push(one(item));
  return out;
}

Json said_json(const std::vector<Said>& said, const Catalogue& say);
Json strings_json(const std::vector<std::string>& values);
Json archs_json(const std::vector<GpuArch>& archs);
Json version_json(const DottedVersion& version);  // null where empty
Json text_json(std::string_view text);            // null where empty
Json branch_json(int branch);                     // null where 0
Json card_json(const Card& card);
Json need_json(const DriverNeed& need);
Json commands_json(const std::vector<CommandBlock>& blocks, const Catalogue& say);
Json conflict_json(const std::optional<Conflict>& conflict, const Catalogue& say);
// incomplete, missing, notes: at the end of every answer.
void add_remarks(Json& out, const Remarks& remarks, const Catalogue& say);

}  // namespace kernelfit::report
