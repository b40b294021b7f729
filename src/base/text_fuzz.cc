// SPDX-License-Identifier: Apache-2.0
// Text from anywhere becomes text that can be printed and laid out.
#include "base/text.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view raw(reinterpret_cast<const char*>(data), size);
  std::string text = printable(raw);
  if (printable(text) != text) __builtin_trap();
  for (const auto& line : wrap(text, 20)) {
    // A line is too wide only where one word is.
    if (display_width(line) > 20 && line.find(' ') != std::string::npos) __builtin_trap();
  }
  fill(raw, {{"name", "{name}"}});
  shell_quote(raw);
  for (auto line : lines_of(raw)) split_words(line);
  return 0;
}
