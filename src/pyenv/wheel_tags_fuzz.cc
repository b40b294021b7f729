// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "pyenv/wheel_tags.h"

namespace kernelfit {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  WheelTarget target;
  target.python = dotted("3.12");
  target.glibc = dotted("2.28");
  if (auto wheel = parse_wheel_name(text)) (void)why_unfit(wheel->tags, target);
  if (auto tags = parse_wheel_tags(text)) (void)any_tag_fits(*tags, target);
  (void)glibc_of_tag(text);
  return 0;
}

}  // namespace kernelfit
