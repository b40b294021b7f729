// SPDX-License-Identifier: Apache-2.0
#include "judge/evidence_parts.h"

#include <algorithm>

namespace kernelfit::judging {
namespace {

std::string joined_files(const std::vector<BinaryImages>& binaries) {
  std::string out;
  for (const auto& binary : binaries) {
    if (!binary.groups.empty()) out += (out.empty() ? "" : " ") + binary.file;
  }
  return out;
}

DottedVersion cuda_of(const Library& library) {
  if (library.cuda.has()) return *library.cuda;
  // "cu126", "cuda12.9"
  std::string tag = build_tag(library);
  if (tag.starts_with("cuda")) return DottedVersion::parse(tag.substr(4)).value_or(DottedVersion());
  if (!tag.starts_with("cu") || tag.size() < 4) return {};
  auto digits = tag.substr(2);
  return DottedVersion::parse(digits.substr(0, digits.size() - 1) + "." + digits.back())
      .value_or(DottedVersion());
}

}  // namespace

std::string_view file_name(std::string_view path) {
  auto at = path.find_last_of("/\\");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

bool has_code(const std::vector<BinaryImages>& binaries) {
  return std::any_of(binaries.begin(), binaries.end(),
                     [](const BinaryImages& binary) { return !binary.groups.empty(); });
}

bool is_other_backend(std::string_view build) {
  return build.starts_with("rocm") || build.starts_with("xpu") || build.starts_with("hip");
}

std::string build_tag(const Library& library) {
  auto version = PackageVersion::parse(library.version);
  return library.build.value_or(version ? version->local() : "");
}

LibrarySubject subject_of(const Library& library) {
  LibrarySubject subject;
  subject.library = library.name;
  subject.version = library.version;
  subject.cuda = cuda_of(library);
  subject.location = library.location;
  subject.basis = "none";
  std::string tag = build_tag(library);
  if (is_other_backend(tag)) subject.other_backend = tag;
  subject.cpu_only = tag == "cpu" || !subject.other_backend.empty() || library.cuda.is_absent();
  return subject;
}

void set_files(LibrarySubject& subject, std::vector<BinaryImages> binaries) {
  subject.basis = "file";
  subject.detail = joined_files(binaries);
  subject.confidence = Confidence::high;
  subject.binaries = std::move(binaries);
}

void set_table(LibrarySubject& subject, std::vector<GpuArch> archs, const Basis& basis) {
  subject.basis = "table";
  subject.detail = basis.sources;
  subject.confidence = basis.confidence;
  subject.table_archs = std::move(archs);
}

// What is broken is known from the file, whatever the tables say of its release.
void set_problem(LibrarySubject& subject, std::string problem) {
  if (problem.empty()) return;
  subject.basis = "file";
  subject.detail = problem.substr(0, problem.find(": "));
  subject.confidence = Confidence::high;
  subject.problem = std::move(problem);
}

std::optional<LibrarySubject> ranged(std::string_view library, std::string_view version,
                                     const LibrarySubject& torch, const Knowledge& knowledge) {
  auto range = library_range(library, version, torch.cuda, knowledge);
  if (!range) return {};
  LibrarySubject subject;
  subject.library = library;
  subject.version = version;
  subject.cuda = torch.cuda;
  subject.cuda_full = torch.cuda_full;
  subject.range = range;
  subject.basis = "table";
  subject.detail = range->basis.sources;
  subject.confidence = range->basis.confidence;
  return subject;
}

}  // namespace kernelfit::judging
