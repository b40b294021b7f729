// SPDX-License-Identifier: Apache-2.0
#include "cli/knowledge_files.h"

#include <algorithm>

#include "cli/paths.h"

namespace kernelfit::cli {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxAllBytes = std::size_t{64} << 20;  // data/ itself has 1 MB
constexpr std::size_t kMaxFiles = 2000;
constexpr int kMaxDepth = 4;  // data/rules/shared/x.md

// What data/ consists of; a film that lies beside it is no reason to read it, or to stop.
bool may_be_knowledge(std::string_view name) {
  return name.ends_with(".csv") || name.ends_with(".toml") || name.ends_with(".md") ||
         name.ends_with(".txt");
}

class Collector {
 public:
  explicit Collector(const Host& host) : host_(host) {}

  // Links are followed: of a loop of them the depth is the end.
  Status collect(const std::string& folder, const std::string& inside, int depth) {
    KF_TRY(auto entries, host_.list_dir(folder));
    for (const auto& entry : entries) {
      std::string path = join_path(folder, entry.name);
      std::string name = inside.empty() ? entry.name : inside + "/" + entry.name;
      FileKind kind = entry.kind;
      if (kind == FileKind::symlink) {
        auto target = host_.file_info(path);
        kind = target ? target->kind : FileKind::other;
      }
      Status status;
      if (kind == FileKind::directory && depth < kMaxDepth) {
        status = collect(path, name, depth + 1);
      } else if (kind == FileKind::regular && may_be_knowledge(name)) {
        status = add(path, std::move(name));
      }
      if (!status) return status;
    }
    return {};
  }

  Files take() { return std::move(files_); }

 private:
  Status add(const std::string& path, std::string name) {
    if (files_.size() >= kMaxFiles) return error(ErrorKind::unsupported, path + ": too many files");
    std::size_t left = kMaxAllBytes - bytes_;
    auto text = host_.read_file(path, std::min(kMaxFileBytes, left));
    if (!text) return tl::unexpected<Error>(std::move(text.error()).in(path));
    bytes_ += text->size();
    files_.emplace_back(std::move(name), std::move(*text));
    return {};
  }

  const Host& host_;
  Files files_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<Knowledge> knowledge_for(const std::string& folder, const Host& here) {
  if (folder.empty()) return Knowledge::embedded();
  Collector collector(here);
  if (Status status = collector.collect(absolute_path(folder, here), "", 0); !status) {
    return tl::unexpected<Error>(std::move(status.error()).in(folder));
  }
  auto knowledge = Knowledge::with_files(collector.take());
  if (!knowledge) return tl::unexpected<Error>(std::move(knowledge.error()).in(folder));
  return knowledge;
}

}  // namespace kernelfit::cli
