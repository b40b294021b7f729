// SPDX-License-Identifier: Apache-2.0
// Libraries beside torch that hold GPU code of their own.
#include "base/text.h"
#include "judge/default_build.h"
#include "judge/evidence_parts.h"

namespace kernelfit::judging {
namespace {

// bitsandbytes takes the one file that is for torch's CUDA: libbitsandbytes_cuda126.so. Where only
// one was read, the probe has chosen it (BNB_CUDA_VERSION can name another).
void choose_bitsandbytes(LibrarySubject& subject, const Library& library,
                         const DottedVersion& cuda) {
  if (library.binaries.size() < 2 || cuda.empty()) return;
  std::string wanted = "_cuda" + std::to_string(cuda.major()) + std::to_string(cuda.minor());
  std::vector<BinaryImages> files;
  bool numbered = false;
  for (const auto& binary : library.binaries) {
    auto name = file_name(binary.file);
    numbered = numbered || contains(name, "_cuda");
    auto stem = name.substr(0, name.find('.'));
    if (stem.ends_with(wanted) || stem.ends_with(wanted + "_nocublaslt")) files.push_back(binary);
  }
  if (has_code(files)) {
    set_files(subject, std::move(files));
    subject.cuda = cuda;
  } else if (numbered) {
    subject.missing_file = "libbitsandbytes" + wanted;
    subject.binaries.clear();
    subject.basis = "file";
    subject.detail = library.location;
  }
}

// What the wheel would be as each build that goes without a tag.
void set_several(LibrarySubject& subject, const Library& library, Platform platform,
                 const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(library.version);
  if (!version) return;
  for (const auto* build : untagged_builds(library.name, *version, text_of(platform), knowledge)) {
    LibrarySubject one = subject;
    one.cuda = build->cuda;
    one.cpu_only = build->cuda.empty();
    if (!one.cpu_only) {
      auto known = table_evidence(one, platform, knowledge);
      one.unlisted = !known;
      if (known) one = *std::move(known);
    }
    one.cuda_text = build->build;
    subject.for_cuda.push_back(std::move(one));
  }
  subject.one_of_several = true;
}

}  // namespace

std::optional<LibrarySubject> library_evidence(const Library& library, const LibrarySubject& torch,
                                               Platform platform, const Knowledge& knowledge) {
  LibrarySubject subject = subject_of(library);
  const bool several = is_one_of_several(library);
  if (library.cuda.is_unknown() && subject.cuda.empty() && !several) subject.cuda = torch.cuda;
  if (has_code(library.binaries)) {
    set_files(subject, library.binaries);
    subject.cpu_only = false;
    if (library.name == "bitsandbytes") choose_bitsandbytes(subject, library, torch.cuda);
    return subject;
  }
  if (!library.problems.empty() && library.binaries.empty()) {
    set_problem(subject, library.problems.front());
    return subject;
  }
  if (build_tag(library) == "cpu" || library.cuda.is_absent()) return subject;
  subject.cpu_only = false;
  if (!library.binaries.empty()) return {};  // read, and it holds no GPU code of its own
  if (several) {
    set_several(subject, library, platform, knowledge);
    return subject;
  }
  if (auto known = table_evidence(subject, platform, knowledge)) return known;
  subject.unlisted = true;
  const auto version = PackageVersion::parse(subject.version);
  if (version) {
    subject.made_for =
        other_platforms(subject.library, version->public_text(), text_of(platform), knowledge);
  }
  return subject;
}

}  // namespace kernelfit::judging
