// SPDX-License-Identifier: Apache-2.0
#include "host/recorded_tree.h"

#include <deque>

#include "base/text.h"

namespace kernelfit {
namespace {
constexpr int kMaxLinks = 40;  // as Linux: path_resolution(7)
}

bool RecordedTree::is_absolute(std::string_view path) const {
  if (!windows_) return path.starts_with('/');
  return path.size() >= 2 && path[1] == ':';
}

std::string RecordedTree::key_of(std::string_view name) const {
  return windows_ ? lower(name) : std::string(name);
}

// "C:\\X\\y" and "C:/X/y" are C, X, y; "/usr//lib" is usr, lib.
std::vector<std::string> RecordedTree::parts_of(std::string_view path) const {
  std::string text(path);
  if (windows_) {
    text = replace_all(std::move(text), "\\", "/");
    if (is_absolute(path)) text.erase(1, 1);
  }
  std::vector<std::string> out;
  for (auto part : split(text, '/')) {
    if (!part.empty() && part != ".") out.emplace_back(part);
  }
  return out;
}

RecordedNode& RecordedTree::make(std::string_view path, FileKind kind) {
  RecordedNode* at = &root_;
  for (const auto& part : parts_of(path)) {
    if (part == "..") {
      at = at->parent;
      continue;
    }
    auto& child = at->children[key_of(part)];
    if (!child) {
      child = std::make_unique<RecordedNode>();
      child->name = part;
      child->parent = at;
      child->inode = ++last_inode_;
    }
    at = child.get();
  }
  at->kind = kind;
  return *at;
}

Result<const RecordedNode*> RecordedTree::find(std::string_view path, bool follow_last) const {
  if (path.empty()) return error(ErrorKind::not_found, "an empty path");
  std::deque<std::string> ahead;
  for (auto& part : parts_of(path)) ahead.push_back(std::move(part));
  const RecordedNode* at = &root_;
  int links = 0;
  while (!ahead.empty()) {
    std::string part = std::move(ahead.front());
    ahead.pop_front();
    if (at->refused) return tl::unexpected<Error>(*at->refused);
    if (at->kind != FileKind::directory) {
      return error(ErrorKind::not_found, path_of(*at) + " is not a directory");
    }
    if (part == "..") {
      at = at->parent;
      continue;
    }
    auto child = at->children.find(key_of(part));
    if (child == at->children.end()) {
      return error(ErrorKind::not_found, "no such file: " + std::string(path));
    }
    const RecordedNode* next = child->second.get();
    if (next->kind != FileKind::symlink || (ahead.empty() && !follow_last)) {
      at = next;
      continue;
    }
    if (++links > kMaxLinks) {
      return error(ErrorKind::malformed, "too many levels of symbolic links: " + std::string(path));
    }
    if (is_absolute(next->link_target)) at = &root_;
    auto target = parts_of(next->link_target);
    ahead.insert(ahead.begin(), target.begin(), target.end());
  }
  return at;
}

std::string RecordedTree::path_of(const RecordedNode& node) const {
  if (node.parent == &node) return windows_ ? "" : "/";
  const RecordedNode& parent = *node.parent;
  if (parent.parent == &parent) return windows_ ? node.name + ":\\" : "/" + node.name;
  std::string above = path_of(parent);
  if (above.back() != '\\' && above.back() != '/') above += windows_ ? '\\' : '/';
  return above + node.name;
}

}  // namespace kernelfit
