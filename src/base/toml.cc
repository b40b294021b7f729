// SPDX-License-Identifier: Apache-2.0
// toml++ is used here only.
#include <toml++/toml.h>
#include <sstream>

#include "base/plain_toml.h"

namespace kernelfit {
namespace {

constexpr int kMaxDepth = 64;  // as JSON

Result<Json> from_toml(const toml::node& node, int depth) {
  if (depth > kMaxDepth) return error(ErrorKind::malformed, "TOML is nested too deeply");
  if (const auto* table = node.as_table()) {
    // toml++ keeps keys sorted, not as written; nothing that reads TOML here depends on order.
    Json out = Json::object();
    for (const auto& [key, value] : *table) {
      KF_TRY(Json member, from_toml(value, depth + 1));
      out.add(std::string(key.str()), std::move(member));
    }
    return out;
  }
  if (const auto* array = node.as_array()) {
    Json out = Json::array();
    for (const auto& value : *array) {
      KF_TRY(Json item, from_toml(value, depth + 1));
      out.push(std::move(item));
    }
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

Result<Json> read_any_toml(std::string_view text) {
  try {
    return from_toml(toml::parse(text), 0);
  } catch (const toml::parse_error& problem) {
    return error(ErrorKind::malformed, "line " + std::to_string(problem.source().begin.line) +
                                           ": " + std::string(problem.description()));
  }
}

}  // namespace kernelfit
