// SPDX-License-Identifier: Apache-2.0
// What is known of the GPU code of an installed torch.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "judge/default_build.h"
#include "judge/evidence_parts.h"

namespace kernelfit {
namespace judging {
namespace {

// The device library of torch through the ages (docs/knowledge.md), Linux and Windows.
constexpr auto kTorchFiles = std::to_array<std::string_view>(
    {"libtorch_cuda.so", "libtorch_cuda_cu.so", "libtorch_cuda_cpp.so", "libtorch.so",
     "libcaffe2_gpu.so", "torch_cuda.dll", "torch_cuda_cu.dll", "torch_cuda_cpp.dll", "torch.dll",
     "caffe2_gpu.dll"});
constexpr auto kLinalgFiles =
    std::to_array<std::string_view>({"libtorch_cuda_linalg.so", "torch_cuda_linalg.dll"});

template <std::size_t n>
std::vector<BinaryImages> files_named(const std::vector<BinaryImages>& all,
                                      const std::array<std::string_view, n>& names) {
  std::vector<BinaryImages> out;
  for (const auto& binary : all) {
    auto name = file_name(binary.file);
    if (std::find(names.begin(), names.end(), name) != names.end()) out.push_back(binary);
  }
  return out;
}

template <std::size_t n>
std::string problem_naming(const Library& library, const std::array<std::string_view, n>& names) {
  for (const auto& problem : library.problems) {
    for (auto name : names) {
      if (contains(problem, name)) return problem;
    }
  }
  return {};
}

// Only what the device library itself lost makes torch broken, and two releases in one folder; a
// fault of another file does not.
std::string problem_of(const Library& torch) {
  constexpr auto kRecords = std::to_array<std::string_view>({"/METADATA says "});
  if (auto problem = problem_naming(torch, kRecords); !problem.empty()) return problem;
  if (auto problem = problem_naming(torch, kTorchFiles); !problem.empty()) return problem;
  return torch.binaries.empty() && !torch.problems.empty() ? torch.problems.front() : "";
}

LibrarySubject torch_subject(const Library& torch, const TorchBuild* build) {
  LibrarySubject subject = subject_of(torch);
  if (build != nullptr) {
    subject.cuda_full = build->cuda_full;
    if (subject.cuda.empty()) subject.cuda = build->cuda;
    subject.cpu_only = subject.cpu_only || build->build == "cpu";
  }
  auto files = files_named(torch.binaries, kTorchFiles);
  if (has_code(files)) {
    set_files(subject, std::move(files));
    subject.cpu_only = false;
  } else if (build != nullptr && !subject.cpu_only) {
    auto archs = build->sass;
    archs.insert(archs.end(), build->ptx.begin(), build->ptx.end());
    set_table(subject, std::move(archs), build->basis);
  }
  set_problem(subject, problem_of(torch));
  return subject;
}

// A nightly or a build of one's own: its toolkit can compile for some cards only. A wheel of torch
// holds no PTX from 1.6 on, a conda package may.
void set_toolkit(LibrarySubject& subject, const Environment& environment,
                 const Knowledge& knowledge) {
  auto range = library_range("cublas", {}, subject.cuda, knowledge);
  auto version = PackageVersion::parse(subject.version);
  if (subject.cpu_only || subject.cuda.empty() || !range) return;
  const auto* package = environment.package("torch");
  bool is_wheel = package != nullptr && package->manager != "conda" && package->channel.empty();
  subject.by_toolkit = true;
  subject.may_hold_ptx = !is_wheel || !version || *version < *PackageVersion::parse("1.6.0");
  subject.range = range;
  subject.basis = "table";
  subject.detail = range->basis.sources;
  subject.confidence = Confidence::medium;
}

bool is_of_conda(const Package& package) {
  return package.manager == "conda" || !package.build.empty() || !package.channel.empty();
}

// Its record in conda-meta could not be read: every record names its channel. Then the name of the
// file is all that is known, and which maker's build it is, is not.
bool is_unread_conda(const Environment& environment) {
  const auto* package = environment.package("pytorch");
  if (package == nullptr) package = environment.package("torch");
  return package != nullptr && package->manager == "conda" && package->channel.empty();
}

// By its tag, else by its CUDA; a bare "2.13.0" that nothing else is known of is PyPI's, but never
// conda's: there it may as well be the CPU build.
bool is_build(const TorchBuild& build, const Library& torch, const std::string& tag,
              const Package* package) {
  if (!tag.empty()) return build.build == tag;
  if (torch.cuda.is_unknown()) {
    return build.pypi_default == "yes" && (package == nullptr || !is_of_conda(*package));
  }
  return torch.cuda.value_or(DottedVersion()) == build.cuda && !is_other_backend(build.build);
}

// 1.0.1.post2 is the release 1.0.1 packed again.
bool same_release(const PackageVersion& release, const PackageVersion& installed) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (release.release(i) != installed.release(i)) return false;
  }
  return !installed.is_prerelease();
}

// "R32.7", "R34/R35", "R36+" beside 32.7.4
bool is_for_l4t(std::string_view cell, std::string_view l4t) {
  const auto board = parse_int(l4t.substr(0, l4t.find('.')));
  for (std::string_view word : split(cell, '/')) {
    const bool open_end = word.ends_with('+');
    if (open_end) word.remove_suffix(1);
    if (!board || !word.starts_with('R')) continue;
    const auto named = parse_int(word.substr(1, word.find('.') - 1));
    if (named && (open_end ? *named <= *board : *named == *board)) return true;
  }
  return false;
}

// A plain version on a Jetson: NVIDIA's wheels of JetPack 4 and the community's have no local
// version, and PyPI's Arm builds have the same numbers.
const JetsonTorch* plain_jetson_row(const Library& torch, std::string_view l4t,
                                    const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(torch.version);
  if (l4t.starts_with('R')) l4t.remove_prefix(1);
  if (l4t.empty() || !version || !build_tag(torch).empty() || !torch.cuda.is_unknown())
    return nullptr;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const auto named = PackageVersion::parse(row.torch);
    if (row.ngc_release.empty() && named && *named == *version && is_for_l4t(row.l4t, l4t))
      return &row;
  }
  return nullptr;
}

// Which boards NVIDIA built it for is known; what a community build holds is not.
void set_jetson(LibrarySubject& torch, const JetsonTorch& row) {
  if (torch.cpu_only || row.form.starts_with("community")) return;
  std::vector<GpuArch> archs;
  for (const auto word : split(row.capability, ';')) {
    const auto capability = ComputeCapability::parse(word);
    if (capability) archs.push_back({.number = capability->number()});
  }
  torch.cuda = dotted(row.cuda);
  set_table(torch, std::move(archs), row.basis);
  torch.confidence = Confidence::medium;  // the version alone does not say that it is NVIDIA's
}

constexpr std::string_view kThirdParty = "third-party-";

// A third party publishes under PyTorch's own versions: by table alone it may be either.
void set_twin(LibrarySubject& torch, const TorchBuild* build, const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(torch.version);
  if (build == nullptr || torch.basis != "table" || build->channel != "pip") return;
  if (!version || version->local() != build->build)
    return;  // PyPI's default does not name its CUDA
  for (const auto& row : knowledge.torch_builds()) {
    if (!row.channel.starts_with(kThirdParty) || row.platform != build->platform ||
        row.version != build->version || row.build != build->build)
      continue;
    torch.twin = std::string(row.channel.substr(kThirdParty.size()));
    torch.twin_archs = row.sass;
    torch.twin_archs.insert(torch.twin_archs.end(), row.ptx.begin(), row.ptx.end());
  }
}

// PyPI's and an index's wheel of this version go without a tag: judged as each of them.
void set_several(LibrarySubject& torch, const Library& library, Platform platform,
                 const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(library.version);
  if (!version || torch.basis == "file" || !torch.problem.empty()) return;
  for (const auto* build : untagged_builds("torch", *version, text_of(platform), knowledge)) {
    LibrarySubject one = torch_subject(library, build);
    one.cuda_text = build->build;
    torch.for_cuda.push_back(std::move(one));
  }
  torch.one_of_several = true;
  torch.cpu_only = false;
}

}  // namespace

TorchEvidence torch_evidence(const Library& library, const Environment& environment,
                             Platform platform, std::string_view l4t, const Knowledge& knowledge) {
  const auto* jetson = plain_jetson_row(library, l4t, knowledge);
  const auto* build =
      jetson != nullptr ? nullptr : build_of(library, environment, platform, knowledge);
  LibrarySubject torch = torch_subject(library, build);
  set_twin(torch, build, knowledge);
  if (jetson != nullptr && torch.basis == "none") set_jetson(torch, *jetson);
  if (torch.basis == "table" && is_unread_conda(environment)) torch.confidence = Confidence::low;
  if (torch.basis == "none" && torch.problem.empty()) set_toolkit(torch, environment, knowledge);
  if (is_one_of_several(library)) set_several(torch, library, platform, knowledge);
  return {std::move(torch), build};
}

std::optional<LibrarySubject> linalg_evidence(const Library& torch, const LibrarySubject& base,
                                              Platform platform, const Knowledge& knowledge) {
  LibrarySubject subject;
  subject.library = "torch.linalg";
  subject.version = torch.version;
  subject.cuda = base.cuda;
  subject.cuda_full = base.cuda_full;
  auto files = files_named(torch.binaries, kLinalgFiles);
  if (has_code(files)) {
    set_files(subject, std::move(files));
  }
  set_problem(subject, problem_naming(torch, kLinalgFiles));
  if (subject.basis == "file") return subject;
  auto version = PackageVersion::parse(torch.version);
  if (!version || platform != Platform::linux_x86_64 || base.basis == "none") return {};
  const auto* row = library_row("torch-linalg", version->public_text(), base.cuda, knowledge);
  if (row == nullptr) return {};
  // The row of 2.1 to 2.10 leaves out what came with 2.8: its list can say yes, but not no.
  auto archs = parse_arch_list(row->sass);
  subject.range = library_range("torch-linalg", version->public_text(), base.cuda, knowledge);
  set_table(subject, std::move(archs), row->basis);
  return subject;
}

}  // namespace judging

const TorchBuild* build_of(const Library& torch, const Environment& environment, Platform platform,
                           const Knowledge& knowledge) {
  auto version = PackageVersion::parse(torch.version);
  if (!version) return nullptr;
  std::string tag = judging::build_tag(torch);
  const auto* package = environment.package("pytorch");
  if (package == nullptr) package = environment.package("torch");
  std::string_view channel = package != nullptr ? std::string_view(package->channel) : "";
  const TorchBuild* found = nullptr;
  for (const auto& build : knowledge.torch_builds()) {
    if (!judging::same_release(build.version, *version) || build.platform != text_of(platform))
      continue;
    if (!judging::is_build(build, torch, tag, package)) continue;
    bool same_channel = !channel.empty() && build.channel.ends_with(channel);
    if (found == nullptr || same_channel || build.basis.confidence > found->basis.confidence) {
      found = &build;
    }
    if (same_channel) break;
  }
  return found;
}

}  // namespace kernelfit
