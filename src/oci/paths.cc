// SPDX-License-Identifier: Apache-2.0
#include "oci/paths.h"

#include "base/text.h"

namespace kernelfit {

std::string clean_path(std::string_view path) {
  std::string out;
  for (std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      const auto slash = out.rfind('/');
      out.erase(slash == std::string::npos ? 0 : slash);
      continue;
    }
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

std::string_view base_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string beside(std::string_view path, std::string_view target) {
  if (target.starts_with('/')) return clean_path(target);
  const auto slash = path.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? "" : path.substr(0, slash);
  return clean_path(std::string(folder) + "/" + std::string(target));
}

}  // namespace kernelfit
