// SPDX-License-Identifier: Apache-2.0
// What the tables say of a library whose files were not read: one build, or one for each CUDA.
#include <algorithm>

#include "base/text.h"
#include "judge/evidence_parts.h"

namespace kernelfit::judging {
namespace {

void set_row(LibrarySubject& subject, const LibraryArch& row) {
  set_table(subject, parse_arch_list(row.sass), row.basis);
  if (row.sass.empty()) subject.range = range_of(row);
}

// torchvision 0.28.0 was made for one torch, and so for the CUDAs of its builds alone.
std::vector<DottedVersion> cudas_of_pair(const LibrarySubject& subject, Platform platform,
                                         const Knowledge& knowledge) {
  std::vector<DottedVersion> out;
  const auto version = PackageVersion::parse(subject.version);
  if (!version || (subject.library != "torchvision" && subject.library != "torchaudio")) return out;
  for (const auto& release : knowledge.torch_releases()) {
    const auto pair = PackageVersion::parse(subject.library == "torchvision" ? release.torchvision
                                                                             : release.torchaudio);
    if (!pair || pair->public_text() != version->public_text()) continue;
    for (const auto& build : knowledge.torch_builds()) {
      if (build.version == release.version && build.platform == text_of(platform) &&
          !build.cuda.empty())
        out.push_back(build.cuda);
    }
  }
  return out;
}

void keep_of_pair(std::vector<const LibraryArch*>& rows, const std::vector<DottedVersion>& cudas) {
  if (cudas.empty()) return;
  std::erase_if(rows, [&](const LibraryArch* row) {
    return std::none_of(cudas.begin(), cudas.end(),
                        [&](const auto& cuda) { return row_is_for_cuda(*row, cuda); });
  });
}

// The lowest CUDA of "11.8-12.6", "12.x 13.x", ">=8"; empty where it names none.
DottedVersion lowest_cuda(std::string_view cell) {
  if (cell.starts_with(">=")) cell.remove_prefix(2);
  const auto number = cell.substr(0, cell.find_first_not_of("0123456789."));
  const bool whole_major = number.ends_with('.');  // of "12.x"
  return dotted(whole_major ? std::string(number) + "0" : std::string(number));
}

LibrarySubject for_row(LibrarySubject subject, const LibraryArch& row) {
  subject.cuda = lowest_cuda(row.cuda);
  subject.cuda_text = replace_all(std::string(row.cuda), " ", ", ");
  set_row(subject, row);
  return subject;
}

}  // namespace

std::optional<LibrarySubject> table_evidence(LibrarySubject subject, Platform platform,
                                             const Knowledge& knowledge) {
  const auto parsed = PackageVersion::parse(subject.version);
  const std::string version = parsed ? parsed->public_text() : subject.version;
  if (version.empty()) return {};
  if (!subject.cuda.empty()) {
    const auto* row =
        library_row(subject.library, version, subject.cuda, knowledge, text_of(platform));
    if (row == nullptr) return {};
    set_row(subject, *row);
    return subject;
  }
  auto rows = library_rows(subject.library, version, text_of(platform), knowledge);
  keep_of_pair(rows, cudas_of_pair(subject, platform, knowledge));
  if (rows.empty()) return {};
  const LibrarySubject bare = subject;
  set_row(subject, *rows.front());
  if (rows.size() < 2) return subject;
  for (const auto* row : rows) subject.for_cuda.push_back(for_row(bare, *row));
  return subject;
}

}  // namespace kernelfit::judging
