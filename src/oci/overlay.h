// SPDX-License-Identifier: Apache-2.0
// What of an image's layers a container sees (OCI image-spec, layer.md): a later layer replaces and
// removes files of earlier ones. Only names are kept, and only of the files that somebody asks
// about: an image has hundred thousands of others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kernelfit {

// A member of a layer's tar.
struct LayerMember {
  std::string name;
  char type = 'f';           // as ArchiveMember has it
  std::string link_target;   // of links
  std::uint64_t number = 0;  // how many-th of its layer
  bool wanted = false;       // files() is to tell what becomes of it
};

class Overlay {
 public:
  // Where a file's content lies: in which layer, as how many-th member.
  struct Content {
    std::size_t layer = 0;
    std::uint64_t number = 0;
    auto operator<=>(const Content&) const = default;
  };
  using Files = std::map<std::string, Content, std::less<>>;

  // The members of a layer in order, layers from the lowest up. Those that nobody wants count for
  // what they replace.
  void add(const LayerMember& member);
  void end_layer();

  // After the last layer. A file with several names (hard links) is there under each.
  const Files& files() const { return lower_; }

 private:
  void whiteout(std::string_view folder, std::string_view name);
  void replace(const std::string& path, char type);
  void make_folders(std::string_view path);
  std::string in_layer(std::string_view name) const;
  const Content* linked(const std::string& target) const;

  Files lower_;  // the layers below, and in the end all of them
  Files own_;    // this layer
  std::map<std::string, std::string, std::less<>> links_;  // symbolic ones of this layer
  std::string last_folder_;
  std::size_t layer_ = 0;
};

}  // namespace kernelfit
