// SPDX-License-Identifier: Apache-2.0
// A Host takes absolute paths; people type others.
#pragma once
#include <string>

#include "host/host.h"

namespace kernelfit::cli {

// "./x", "~/x" and "x" as the host's shell would read them.
inline std::string absolute_path(const std::string& path, const Host& host) {
  bool drive = path.size() > 1 && path[1] == ':';
  if (path.empty() || path[0] == '/' || path[0] == '\\' || drive) return path;
  if (path == "~" || path.starts_with("~/")) return host.home_dir() + path.substr(1);
  return join_path(host.current_dir(), path.starts_with("./") ? path.substr(2) : path);
}

}  // namespace kernelfit::cli
