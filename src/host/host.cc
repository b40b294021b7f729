// SPDX-License-Identifier: Apache-2.0
#include "host/host.h"

#include <algorithm>

namespace kernelfit {
namespace {

// "C:\\X", "C:/X" and "\\\\server" are Windows paths; everything else is not.
bool is_windows_path(std::string_view path) {
  bool drive = path.size() >= 2 && path[1] == ':' &&
               ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z'));
  return drive || path.starts_with("\\\\");
}
std::string_view separators(std::string_view path) {
  return is_windows_path(path) ? "\\/" : "/";
}
bool ends_with_any(std::string_view text, std::string_view any) {
  return !text.empty() && any.find(text.back()) != std::string_view::npos;
}

// "/usr/lib//" -> "/usr/lib"; a root stays as it is.
std::string_view without_trailing_separators(std::string_view path) {
  std::string_view any = separators(path);
  std::size_t root = any.size() == 2 ? 3 : 1;
  while (path.size() > root && ends_with_any(path, any)) path.remove_suffix(1);
  return path;
}

}  // namespace

bool Host::is_dir(std::string_view path) const {
  auto info = file_info(path);
  return info && info->kind == FileKind::directory;
}

Result<std::string> Host::read_cache(std::string_view name) const {
  return error(ErrorKind::not_found, std::string(name) + ": there is no cache here");
}

Status Host::write_cache(std::string_view name, std::string_view) const {
  return error(ErrorKind::unsupported, std::string(name) + ": there is no cache here");
}

std::string join_path(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  std::string out(a);
  if (!ends_with_any(a, separators(a))) out += is_windows_path(a) ? '\\' : '/';
  return out.append(b);
}

std::string_view base_name(std::string_view path) {
  path = without_trailing_separators(path);
  auto at = path.find_last_of(separators(path));
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

std::string_view parent_path(std::string_view path) {
  path = without_trailing_separators(path);
  auto at = path.find_last_of(separators(path));
  if (at == std::string_view::npos) return {};
  std::size_t root = is_windows_path(path) ? 3 : 1;
  return without_trailing_separators(path.substr(0, std::max(at, std::min(root, path.size()))));
}

}  // namespace kernelfit
