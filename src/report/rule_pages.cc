// SPDX-License-Identifier: Apache-2.0
#include "report/rule_pages.h"

#include "base/text.h"
#include "base/visible.h"
#include "report/json_parts.h"
#include "report/layout.h"
#include "report/markdown.h"
#include "report/rule_text.h"

namespace kernelfit {
namespace report {
namespace {

std::string page(const Rule& rule, const Knowledge& knowledge, const Catalogue& say) {
  return "# " + rule.code + " " + open_title(rule, say) + "\n\n" + rule.name + "\n" +
         rule_body(rule, knowledge, say, 2);
}

}  // namespace
}  // namespace report

std::string render_rule_pages(const std::vector<const Rule*>& rules, const Knowledge& knowledge,
                              const Style& style, const Catalogue& say) {
  using namespace report;  // NOLINT(google-build-using-namespace): the pieces above
  if (style.format == Format::json) {
    Json out = head_json("explain-rules", knowledge);
    out.add("rules", array_json(rules, [&](const Rule* rule) {
              Json item = Json::object();
              item.add("code", rule->code);
              item.add("name", rule->name);
              item.add("title", open_title(*rule, say));
              item.add("page", page(*rule, knowledge, say));
              return item;
            }));
    return out.dump();
  }
  if (rules.size() == 1) return visible_lines(page(*rules.front(), knowledge, say));
  std::vector<Row> rows;
  for (const Rule* rule : rules) {
    rows.push_back({{rule->code, Ink::strong}, {open_title(*rule, say)}});
  }
  std::string count = std::to_string(rules.size());
  return lay_out(rows, {.indent = 0, .gap = 2}, style) + "\n" +
         say("report.explain.page.several", {{"count", count}}) + "\n";
}

}  // namespace kernelfit
