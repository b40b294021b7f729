// SPDX-License-Identifier: Apache-2.0
#include "report/redacted_json.h"

#include "base/json.h"

namespace kernelfit {
namespace {

Json redacted(const Json& json, const Redaction* what) {
  if (json.is_string()) {
    return what == nullptr ? redact_secrets(json.string()) : redact(json.string(), *what);
  }
  if (json.is_array()) {
    Json out = Json::array();
    for (const auto& item : json.items()) out.push(redacted(item, what));
    return out;
  }
  if (!json.is_object()) return json;
  Json out = Json::object();
  for (const auto& [key, value] : json.members()) out.add(key, redacted(value, what));
  return out;
}

}  // namespace

std::string redacted_json(const std::string& text, const Redaction* what) {
  if (what == nullptr && redact_secrets(text) == text) return text;
  auto json = parse_json(text);
  return json ? redacted(*json, what).dump() : redact_secrets(text);
}

}  // namespace kernelfit
