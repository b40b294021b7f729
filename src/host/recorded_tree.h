// SPDX-License-Identifier: Apache-2.0
// The files of a recorded machine as a tree in memory: directories, files (stored beside, whole or
// in parts), links and things that could not be read. Resolves paths as the recorded system would:
// links at most 40 deep, Windows names without regard to case.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/host.h"

namespace kernelfit {

struct RecordedNode {
  std::string name;  // as written
  FileKind kind = FileKind::directory;
  RecordedNode* parent = nullptr;
  std::uint64_t inode = 0;
  std::map<std::string, std::unique_ptr<RecordedNode>> children;

  std::string disk_path;                    // where its text is kept; empty: nowhere
  std::string link_target;                  // of a symlink
  std::optional<Error> refused;             // exists, but reading it gives this
  std::optional<std::uint64_t> size_bytes;  // of a file kept in parts
  std::string parts_path;                   // empty: no part is kept
  bool zero_fill = false;
};

class RecordedTree {
 public:
  explicit RecordedTree(bool windows) : windows_(windows) { root_.parent = &root_; }

  // Makes the path and every directory above it; the last one becomes `kind`.
  RecordedNode& make(std::string_view path, FileKind kind);
  Result<const RecordedNode*> find(std::string_view path, bool follow_last) const;
  std::string path_of(const RecordedNode& node) const;

 private:
  std::vector<std::string> parts_of(std::string_view path) const;
  bool is_absolute(std::string_view path) const;
  std::string key_of(std::string_view name) const;

  bool windows_;
  std::uint64_t last_inode_ = 1;
  RecordedNode root_;
};

}  // namespace kernelfit
