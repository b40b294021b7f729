// SPDX-License-Identifier: Apache-2.0
#include "judge/evidence.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kernelfit {
namespace {

std::string_view file_name(std::string_view path) {
  auto at = path.find_last_of("/\\");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

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

bool has_code(const std::vector<BinaryImages>& binaries) {
  return std::any_of(binaries.begin(), binaries.end(),
                     [](const BinaryImages& binary) { return !binary.groups.empty(); });
}

bool is_other_backend(std::string_view build) {
  return build.starts_with("rocm") || build.starts_with("xpu") || build.starts_with("hip");
}

std::string joined_files(const std::vector<BinaryImages>& binaries) {
  std::string out;
  for (const auto& binary : binaries) {
    if (!binary.groups.empty()) out += (out.empty() ? "" : " ") + binary.file;
  }
  return out;
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

template <std::size_t n>
std::string problem_naming(const Library& library, const std::array<std::string_view, n>& names) {
  for (const auto& problem : library.problems) {
    for (auto name : names) {
      if (contains(problem, name)) return problem;
    }
  }
  return {};
}

// What is broken is known from the file, whatever the tables say of its release. A problem begins
// with its file: "/env/torch/lib/libtorch_cuda.so: offset 64: …".
void set_problem(LibrarySubject& subject, std::string problem) {
  if (problem.empty()) return;
  subject.basis = "file";
  subject.detail = problem.substr(0, problem.find(": "));
  subject.confidence = Confidence::high;
  subject.problem = std::move(problem);
}

// Only what the device library itself lost makes torch broken; a fault of another file does not.
std::string problem_of(const Library& torch) {
  if (auto problem = problem_naming(torch, kTorchFiles); !problem.empty()) return problem;
  return torch.binaries.empty() && !torch.problems.empty() ? torch.problems.front() : "";
}

std::string build_tag(const Library& library) {
  auto version = PackageVersion::parse(library.version);
  return library.build.value_or(version ? version->local() : "");
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

LibrarySubject start(const Library& library) {
  LibrarySubject subject;
  subject.library = library.name;
  subject.version = library.version;
  subject.cuda = cuda_of(library);
  subject.basis = "none";
  std::string tag = build_tag(library);
  if (is_other_backend(tag)) subject.other_backend = tag;
  subject.cpu_only = tag == "cpu" || !subject.other_backend.empty() || library.cuda.is_absent();
  return subject;
}

LibrarySubject torch_subject(const Library& torch, const TorchBuild* build) {
  LibrarySubject subject = start(torch);
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

// libtorch_cuda_linalg.so is judged on its own: it can lack what torch itself has
// (docs/knowledge.md).
std::optional<LibrarySubject> linalg_subject(const Library& torch, const LibrarySubject& base,
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

// "cudnn_ops" of "libcudnn_ops.so.9" and of "cudnn_ops64_9.dll".
bool is_file_of(std::string_view path, std::string_view name) {
  auto file = file_name(path);
  if (file.starts_with("lib")) file.remove_prefix(3);
  return file.starts_with(name);
}

std::vector<BinaryImages> files_beginning(const std::vector<BinaryImages>& all,
                                          std::initializer_list<std::string_view> names) {
  std::vector<BinaryImages> out;
  for (const auto& binary : all) {
    if (std::any_of(names.begin(), names.end(),
                    [&](auto name) { return is_file_of(binary.file, name); })) {
      out.push_back(binary);
    }
  }
  return out;
}

// What NVIDIA's library holds, from its package or from what torch brought along beside itself.
std::vector<BinaryImages> nvidia_files(const Environment& environment, const Package* package,
                                       std::initializer_list<std::string_view> names) {
  const auto* library = environment.library(package != nullptr ? package->name : "torch");
  return library == nullptr ? std::vector<BinaryImages>()
                            : files_beginning(library->binaries, names);
}

// NVIDIA's libraries choose among their containers at run time, so what counts is the union
// (docs/fatbin.md); each of their files is needed.
std::optional<LibrarySubject> nvidia_subject(std::string_view library, std::string_view version,
                                             const LibrarySubject& torch,
                                             std::vector<BinaryImages> files) {
  if (!has_code(files)) return {};
  LibrarySubject subject;
  subject.library = library;
  subject.version = version;
  subject.cuda = torch.cuda;
  subject.cuda_full = torch.cuda_full;
  subject.dispatches = true;
  subject.each_file = true;
  set_files(subject, std::move(files));
  return subject;
}

const Package* first_package(const Environment& environment,
                             std::initializer_list<std::string_view> names) {
  for (auto name : names) {
    if (const auto* package = environment.package(name)) return package;
  }
  return nullptr;
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

// The cuDNN that torch takes: the package beside it, else the one its build carries.
std::optional<LibrarySubject> cudnn_subject(const Environment& environment,
                                            const LibrarySubject& torch, const TorchBuild* build,
                                            const Knowledge& knowledge) {
  std::string major = std::to_string(torch.cuda.major());
  const auto* package =
      first_package(environment, {"nvidia-cudnn-cu" + major, "cudnn", "nvidia-cudnn"});
  std::string version = package != nullptr ? package->version
                        : build != nullptr ? std::string(build->cudnn)
                                           : std::string();
  // Its engines are made for some cards only on purpose: these three are what every card needs.
  auto files = nvidia_files(environment, package,
                            {"cudnn_ops", "cudnn_cnn", "cudnn_adv", "cudnn.so.7", "cudnn64_7"});
  if (auto subject = nvidia_subject("cudnn", version, torch, std::move(files))) return subject;
  return version.empty() ? std::nullopt : ranged("cudnn", version, torch, knowledge);
}

std::optional<LibrarySubject> cublas_subject(const Environment& environment,
                                             const LibrarySubject& torch,
                                             const Knowledge& knowledge) {
  if (torch.cuda.empty()) return {};
  std::string major = std::to_string(torch.cuda.major());
  const auto* package =
      first_package(environment, {"nvidia-cublas-cu" + major, "nvidia-cublas", "libcublas"});
  std::string version = package != nullptr ? package->version : torch.cuda.text();
  auto files = nvidia_files(environment, package, {"cublas"});
  if (auto subject = nvidia_subject("cublas", version, torch, std::move(files))) return subject;
  auto subject = ranged("cublas", {}, torch, knowledge);
  if (subject) subject->version = version;
  return subject;
}

// The others that torch calls; no table knows them, so only their files speak.
void add_nvidia_subjects(const Environment& environment, const LibrarySubject& torch,
                         std::vector<LibrarySubject>& subjects) {
  std::string major = std::to_string(torch.cuda.major());
  for (std::string_view name : {"nccl", "cufft", "cusolver", "cusparse", "curand"}) {
    const std::string pip = "nvidia-" + std::string(name), conda = "lib" + std::string(name);
    const auto* package = first_package(
        environment, {pip + "-cu" + major, pip, conda, name == "nccl" ? name : std::string_view()});
    if (package == nullptr) continue;
    auto subject =
        nvidia_subject(name, package->version, torch, nvidia_files(environment, package, {name}));
    if (subject) subjects.push_back(*std::move(subject));
  }
}

std::optional<LibrarySubject> triton_subject(const Environment& environment,
                                             const LibrarySubject& torch,
                                             const Knowledge& knowledge) {
  const auto* package = first_package(environment, {"triton", "pytorch-triton", "triton-windows"});
  if (package == nullptr) return {};
  return ranged("triton", package->version, torch, knowledge);
}

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

std::optional<LibrarySubject> other_subject(const Library& library, const LibrarySubject& torch,
                                            const Knowledge& knowledge) {
  LibrarySubject subject = start(library);
  if (library.cuda.is_unknown() && subject.cuda.empty()) subject.cuda = torch.cuda;
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
  auto version = PackageVersion::parse(library.version);
  const auto* row =
      library_row(library.name, version ? version->public_text() : "", subject.cuda, knowledge);
  if (row != nullptr && !row->sass.empty()) {
    set_table(subject, parse_arch_list(row->sass), row->basis);
    return subject;
  }
  return ranged(library.name, version ? version->public_text() : library.version, subject,
                knowledge);
}

void add(std::vector<LibrarySubject>& subjects, std::optional<LibrarySubject> subject) {
  if (subject) subjects.push_back(*std::move(subject));
}

bool is_subject(const std::vector<LibrarySubject>& subjects, std::string_view library) {
  return std::any_of(subjects.begin(), subjects.end(),
                     [&](const LibrarySubject& one) { return one.library == library; });
}

// Judged with the torch that takes them.
bool is_nvidia_part(std::string_view name) {
  constexpr auto kOfConda = std::to_array<std::string_view>(
      {"cudnn", "nccl", "libcublas", "libcufft", "libcusolver", "libcusparse", "libcurand"});
  return name.starts_with("nvidia-") ||
         std::find(kOfConda.begin(), kOfConda.end(), name) != kOfConda.end();
}

// What a toolkit cannot compile for, nothing built with it holds; what it can, is not known.
CodeVerdict code_by_toolkit(const LibrarySubject& subject, const CodeRule& rule) {
  CodeVerdict out;
  bool too_old = rule.capability < subject.range->minimum;
  bool too_new = rule.capability.major > subject.range->maximum.major && !subject.may_hold_ptx;
  if (too_old || too_new) out.verdict = Verdict::no_code;
  return out;
}

// Runs where each of its files runs; where only some do, in part.
CodeVerdict code_of_each(const std::vector<BinaryImages>& binaries, const CodeRule& rule) {
  std::optional<CodeVerdict> worst;
  bool any_runs = false;
  for (const auto& binary : binaries) {
    auto one = code_for({binary}, rule, true);
    if (one.verdict == Verdict::unknown) continue;  // no code of its own
    any_runs = any_runs || runs(one.verdict);
    if (!worst || one.verdict > worst->verdict) worst = std::move(one);
  }
  if (!worst) return {};
  if (worst->verdict == Verdict::no_code && any_runs) {
    worst->verdict = Verdict::partial;
    worst->missing = {rule.capability};
  }
  return *worst;
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

}  // namespace

const TorchBuild* build_of(const Library& torch, const Environment& environment, Platform platform,
                           const Knowledge& knowledge) {
  auto version = PackageVersion::parse(torch.version);
  if (!version) return nullptr;
  std::string tag = build_tag(torch);
  const auto* package = environment.package("pytorch");
  if (package == nullptr) package = environment.package("torch");
  std::string_view channel = package != nullptr ? std::string_view(package->channel) : "";
  const TorchBuild* found = nullptr;
  for (const auto& build : knowledge.torch_builds()) {
    if (!same_release(build.version, *version) || build.platform != text_of(platform)) continue;
    if (!is_build(build, torch, tag, package)) continue;
    bool same_channel = !channel.empty() && build.channel.ends_with(channel);
    if (found == nullptr || same_channel || build.basis.confidence > found->basis.confidence) {
      found = &build;
    }
    if (same_channel) break;
  }
  return found;
}

std::vector<LibrarySubject> subjects_of(const Environment& environment, Platform platform,
                                        std::string_view l4t, const Knowledge& knowledge) {
  std::vector<LibrarySubject> subjects;
  LibrarySubject torch;
  if (const auto* library = environment.library("torch")) {
    const auto* jetson = plain_jetson_row(*library, l4t, knowledge);
    const auto* build =
        jetson != nullptr ? nullptr : build_of(*library, environment, platform, knowledge);
    torch = torch_subject(*library, build);
    set_twin(torch, build, knowledge);
    if (jetson != nullptr && torch.basis == "none") set_jetson(torch, *jetson);
    if (torch.basis == "table" && is_unread_conda(environment)) torch.confidence = Confidence::low;
    if (torch.basis == "none" && torch.problem.empty()) set_toolkit(torch, environment, knowledge);
    subjects.push_back(torch);
    if (!torch.cpu_only) {
      add(subjects, cudnn_subject(environment, torch, build, knowledge));
      add(subjects, cublas_subject(environment, torch, knowledge));
      add_nvidia_subjects(environment, torch, subjects);
      add(subjects, triton_subject(environment, torch, knowledge));
      add(subjects, linalg_subject(*library, torch, platform, knowledge));
    }
  }
  for (const auto& library : environment.libraries) {
    if (library.name == "torch" || is_nvidia_part(library.name)) continue;
    if (is_subject(subjects, library.name)) continue;  // triton, with the torch that takes it
    add(subjects, other_subject(library, torch, knowledge));
  }
  return subjects;
}

CodeVerdict code_of(const LibrarySubject& subject, const Card& card) {
  CodeRule rule = code_rule(card, subject.cuda);
  if (subject.by_toolkit) return code_by_toolkit(subject, rule);
  if (subject.each_file) return code_of_each(subject.binaries, rule);
  if (subject.basis == "file") return code_for(subject.binaries, rule, subject.dispatches);
  CodeVerdict out;
  if (!subject.table_archs.empty()) out = code_for(subject.table_archs, rule);
  if (!subject.range) return out;
  Verdict by_range = range_verdict(*subject.range, rule.capability);
  if (subject.table_archs.empty()) {
    out.verdict = by_range;
  } else if (by_range != Verdict::native) {
    out.verdict = Verdict::no_code;
  } else if (out.verdict == Verdict::no_code) {
    out.verdict = Verdict::unknown;
  }
  return out;
}

}  // namespace kernelfit
