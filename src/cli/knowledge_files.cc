// SPDX-License-Identifier: Apache-2.0
#include "cli/knowledge_files.h"

#include "cli/paths.h"

namespace kernelfit::cli {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxFiles = 2000;
constexpr int kMaxDepth = 4;  // data/rules/shared/x.md

Status collect(const Host& host, const std::string& folder, const std::string& inside, int depth,
               Files& files) {
  KF_TRY(auto entries, host.list_dir(folder));
  for (const auto& entry : entries) {
    std::string path = join_path(folder, entry.name);
    std::string name = inside.empty() ? entry.name : inside + "/" + entry.name;
    if (entry.kind == FileKind::directory && depth < kMaxDepth) {
      if (Status status = collect(host, path, name, depth + 1, files); !status) return status;
    }
    if (entry.kind != FileKind::regular) continue;
    if (files.size() >= kMaxFiles)
      return error(ErrorKind::unsupported, folder + ": too many files");
    auto text = host.read_file(path, kMaxFileBytes);
    if (!text) return tl::unexpected<Error>(std::move(text.error()).in(path));
    files.emplace_back(std::move(name), std::move(*text));
  }
  return {};
}

}  // namespace

Result<Knowledge> knowledge_for(const std::string& folder, const Host& here) {
  if (folder.empty()) return Knowledge::embedded();
  Files files;
  if (Status status = collect(here, absolute_path(folder, here), "", 0, files); !status) {
    return tl::unexpected<Error>(std::move(status.error()).in(folder));
  }
  auto knowledge = Knowledge::with_files(std::move(files));
  if (!knowledge) return tl::unexpected<Error>(std::move(knowledge.error()).in(folder));
  return knowledge;
}

}  // namespace kernelfit::cli
