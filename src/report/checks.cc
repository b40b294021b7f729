// SPDX-License-Identifier: Apache-2.0
// `doctor --list`: what can be asked for by `doctor CHECK…`, and the version.
#include "report/json_parts.h"
#include "report/layout.h"
#include "report/markdown.h"

namespace kernelfit {

std::string_view program_version() {
  return KF_VERSION;
}

std::string render_checks(const std::vector<Rule>& rules, const Knowledge& knowledge,
                          const Style& style, const Catalogue& say) {
  auto checks = list_checks(rules, say.language());
  if (style.format == Format::json) {
    Json items = Json::array();
    for (const auto& check : checks) {
      Json item = Json::object();
      item.add("code", check.code);
      item.add("name", check.name);
      item.add("title", check.title);
      items.push(std::move(item));
    }
    Json out = report::head_json("checks", knowledge);
    out.add("checks", std::move(items));
    return out.dump();
  }
  if (style.format == Format::markdown) {
    std::vector<std::vector<std::string>> rows;
    rows.reserve(checks.size());
    for (const auto& check : checks) rows.push_back({check.code, check.name, check.title});
    return report::md_table(
        {say("report.column.code"), say("report.column.name"), say("report.column.found")}, rows);
  }
  std::vector<report::Row> rows;
  rows.reserve(checks.size());
  for (const auto& check : checks) {
    rows.push_back(
        {{check.code, report::Ink::strong}, {check.name}, {check.title, report::Ink::dim}});
  }
  return report::lay_out(rows, {.indent = 0}, style);
}

}  // namespace kernelfit
