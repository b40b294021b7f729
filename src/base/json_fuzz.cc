// SPDX-License-Identifier: Apache-2.0
// What reads as JSON or TOML is written as JSON that reads as the same.
#include "base/json.h"
#include "base/plain_toml.h"

#include <cstdint>

namespace {
void check(const kernelfit::Json& json) {
  auto text = json.dump();
  auto again = kernelfit::parse_json(text);
  if (!again || again->dump() != text) __builtin_trap();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto json = kernelfit::parse_json(text)) check(*json);
  auto toml = kernelfit::read_any_toml(text);
  if (toml) check(*toml);
  // The fast reader knows less, and nothing else.
  if (auto plain = kernelfit::read_plain_toml(text)) {
    if (!toml || plain->dump() != toml->dump()) __builtin_trap();
  }
  return 0;
}
