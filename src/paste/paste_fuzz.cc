// SPDX-License-Identifier: Apache-2.0
// Anything can be pasted.
#include <cstdint>
#include <cstdlib>

#include "paste/decode.h"
#include "paste/lines.h"
#include "paste/paste.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  static const Knowledge kKnowledge = Knowledge::embedded();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  LineReader reader;
  std::vector<PasteLine> lines;
  TextDecoder decoder;
  reader.feed(decoder.feed(bytes.substr(0, bytes.size() / 3)), lines);
  reader.feed(decoder.feed(bytes.substr(bytes.size() / 3)), lines);
  reader.feed(decoder.finish(), lines);
  reader.finish(lines);
  for (const auto& line : lines) {
    if (line.text.size() > 4 * kMaximumPasteLine) std::abort();
    if (line.text.find('\n') != std::string::npos) std::abort();
  }
  const Paste paste = read_paste(bytes, kKnowledge);
  for (const auto& event : paste.machine.log) {
    if (event.line < 1 || event.line > paste.lines) std::abort();
  }
  PasteReader sifting(kKnowledge, 0);
  sifting.feed(bytes.substr(0, bytes.size() / 3));
  sifting.feed(bytes.substr(bytes.size() / 3));
  const Paste sifted = sifting.finish();
  if (sifted.lines != paste.lines) std::abort();
  for (const auto& event : sifted.machine.log) {
    if (event.line < 1 || event.line > sifted.lines) std::abort();
  }
  return 0;
}
