// SPDX-License-Identifier: Apache-2.0
#include "oci/overlay.h"

#include <optional>
#include <utility>

#include "oci/paths.h"

namespace kernelfit {
namespace {

constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kMeta = ".wh..wh.";  // ".wh..wh.opq"; the others are AUFS' own
constexpr std::string_view kOpaque = ".wh..wh..opq";
constexpr int kMaxLinks = 40;  // as Linux has it

// Everything below a folder; "" is the root.
void erase_below(Overlay::Files& files, std::string_view folder) {
  if (folder.empty()) return files.clear();
  const std::string from = std::string(folder) + "/";
  std::string behind = from;
  behind.back() = '/' + 1;
  files.erase(files.lower_bound(from), files.lower_bound(behind));
}

void erase_tree(Overlay::Files& files, const std::string& path) {
  files.erase(path);
  erase_below(files, path);
}

std::pair<std::string_view, std::string_view> folder_and_name(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return {"", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::string inside(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

}  // namespace

// A folder of the name may be a link that this layer itself has made: the file then lies where the
// link leads.
std::string Overlay::in_layer(std::string_view name) const {
  std::string path = clean_path(name);
  if (links_.empty()) return path;
  int followed = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;) {
    const auto link = links_.find(std::string_view(path).substr(0, slash));
    if (link == links_.end() || ++followed > kMaxLinks) {
      slash = path.find('/', slash + 1);
      continue;
    }
    path = clean_path(beside(link->first, link->second) + path.substr(slash));
    slash = path.find('/');
  }
  return path;
}

// Whiteouts are about the layers below alone, wherever in the layer they stand.
void Overlay::whiteout(std::string_view folder, std::string_view name) {
  if (name == kOpaque) return erase_below(lower_, folder);
  if (name.starts_with(kMeta)) return;
  name.remove_prefix(kWhiteout.size());
  if (!name.empty() && name != "." && name != "..") erase_tree(lower_, inside(folder, name));
}

// The folders around a file take the place of files of that name below.
void Overlay::make_folders(std::string_view path) {
  const std::string_view folder = folder_and_name(path).first;
  if (folder == last_folder_) return;
  last_folder_ = folder;
  for (std::size_t slash = folder.find('/');; slash = folder.find('/', slash + 1)) {
    const auto found = lower_.find(folder.substr(0, slash));
    if (found != lower_.end()) lower_.erase(found);
    if (slash == std::string_view::npos) return;
  }
}

void Overlay::replace(const std::string& path, char type) {
  links_.erase(path);
  if (type == 'd') {  // a folder joins a folder
    lower_.erase(path);
    own_.erase(path);
    return;
  }
  erase_tree(lower_, path);
  erase_tree(own_, path);
}

const Overlay::Content* Overlay::linked(const std::string& target) const {
  if (const auto at = own_.find(target); at != own_.end()) return &at->second;
  const auto at = lower_.find(target);
  return at == lower_.end() ? nullptr : &at->second;
}

void Overlay::add(const LayerMember& member) {
  const std::string path = in_layer(member.name);
  if (path.empty()) return;
  const auto [folder, name] = folder_and_name(path);
  if (name.starts_with(kWhiteout)) return whiteout(folder, name);
  std::optional<Content> content;
  if (member.type == 'f' && member.wanted) content = Content{layer_, member.number};
  if (member.type == 'h') {
    const std::string target = in_layer(member.link_target);
    if (target == path) return;
    if (const Content* found = linked(target)) content = *found;
  }
  make_folders(path);
  replace(path, member.type);
  if (member.type == 'l') links_[path] = member.link_target;
  if (content) own_[path] = *content;
}

void Overlay::end_layer() {
  for (const auto& [path, content] : own_) lower_[path] = content;
  own_.clear();
  links_.clear();
  last_folder_.clear();
  ++layer_;
}

}  // namespace kernelfit
