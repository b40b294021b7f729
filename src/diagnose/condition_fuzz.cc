// SPDX-License-Identifier: Apache-2.0
// Any text: a condition or an error, and a condition answers whatever the facts are.
#include <cstddef>
#include <cstdint>

#include "diagnose/condition.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto condition = Condition::parse(text);
  if (!condition) return 0;
  Facts facts;
  bool known = false;
  for (const auto& name : condition->names()) {
    if ((known = !known))
      facts.set_known(name, "8.6");
    else
      facts.set_absent(name);
  }
  (void)condition->evaluate(facts);
  (void)condition->evaluate(Facts());
  return 0;
}
