// SPDX-License-Identifier: Apache-2.0
#include "solve/wish.h"

namespace kernelfit::solving {

bool names_wheel(const Wish& wish) {
  return wish.build.starts_with("cu") && !wish.build.starts_with("cuda");
}

Wish wish_of(const Request& request) {
  Wish wish{request.wanted, request.wanted_build, {}};
  const std::string& text = request.wanted.text();
  const std::size_t plus = text.find('+');
  if (plus == std::string::npos) return wish;
  if (wish.build.empty()) wish.build = text.substr(plus + 1);
  if (auto version = VersionSpecifier::parse(text.substr(0, plus))) wish.version = *version;
  return wish;
}

}  // namespace kernelfit::solving
