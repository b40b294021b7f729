// SPDX-License-Identifier: Apache-2.0
// Any text: a rule or an error; a rule renders whatever is in it.
#include <cstddef>
#include <cstdint>

#include "diagnose/rule.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto rule = parse_rule(text, "rules/KF0000-fuzz.md", {{"build", "+++\nshared = true\n+++\n"}});
  if (!rule) return 0;
  Finding finding;
  finding.values = {{"card.label", "GeForce RTX 3090"}};
  for (const auto& fix : rule->fixes)
    finding.fixes.push_back({fix.id, fix.kind, fix.target, {}, {}});
  static const Catalogue kSay = load_catalogue("zh");
  (void)render_finding(finding, *rule, kSay);
  (void)list_checks({*rule}, "en");
  return 0;
}
