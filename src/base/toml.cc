// SPDX-License-Identifier: Apache-2.0
// toml++ is used here only.
#include <sstream>
#include <toml++/toml.h>

#include "base/json.h"

namespace kernelfit {
namespace {

Json from_toml(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    // toml++ keeps keys sorted, not as written; nothing that reads TOML here depends on order.
    Json out = Json::object();
    for (const auto& [key, value] : *table) out[std::string_view(key)] = from_toml(value);
    return out;
  }
  if (const auto* array = node.as_array()) {
    Json out = Json::array();
    for (const auto& value : *array) out.push(from_toml(value));
    return out;
  }
  if (const auto* text = node.as_string()) return Json(text->get());
  if (const auto* truth = node.as_boolean()) return Json(truth->get());
  if (const auto* number = node.as_integer()) return Json(number->get());
  if (const auto* real = node.as_floating_point()) return Json(real->get());
  if (const auto* date = node.as_date()) {
    std::ostringstream out;
    out << date->get();
    return Json(out.str());
  }
  return Json();
}

}  // namespace

Result<Json> parse_toml(std::string_view text) {
  try {
    return from_toml(toml::parse(text));
  } catch (const toml::parse_error& problem) {
    return error(ErrorKind::malformed, "line " + std::to_string(problem.source().begin.line) +
                                           ": " + std::string(problem.description()));
  }
}

}  // namespace kernelfit
