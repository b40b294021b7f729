// SPDX-License-Identifier: Apache-2.0
// The first line is a user's name, the rest the text: nothing hurts, and the name is gone.
#include "host/redact.h"

#include <cstdint>

#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto line = text.substr(0, text.find('\n'));
  Redaction what{.user_names = {"alice", std::string(line)}, .host_names = {"box"}, .uuids = {}};
  collect_uuids(text, what.uuids);
  std::string out = redact(text, what);
  if (contains(" " + lower(out) + " ", " alice ")) __builtin_trap();
  if (redact_secrets(out).size() > out.size() + 64) __builtin_trap();
  return 0;
}
