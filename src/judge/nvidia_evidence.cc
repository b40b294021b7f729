// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries that torch calls, and Triton: from their packages, from what torch brought
// along beside itself, else from the tables.
#include <algorithm>
#include <array>

#include "judge/evidence_parts.h"

namespace kernelfit::judging {
namespace {

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

}  // namespace

void add_parts_of_torch(std::vector<LibrarySubject>& subjects, const Environment& environment,
                        const TorchEvidence& torch, const Knowledge& knowledge) {
  auto add = [&](std::optional<LibrarySubject> subject) {
    if (subject) subjects.push_back(*std::move(subject));
  };
  add(cudnn_subject(environment, torch.subject, torch.build, knowledge));
  add(cublas_subject(environment, torch.subject, knowledge));
  add_nvidia_subjects(environment, torch.subject, subjects);
  add(triton_subject(environment, torch.subject, knowledge));
}

bool is_nvidia_part(std::string_view name) {
  constexpr auto kOfConda = std::to_array<std::string_view>(
      {"cudnn", "nccl", "libcublas", "libcufft", "libcusolver", "libcusparse", "libcurand"});
  return name.starts_with("nvidia-") ||
         std::find(kOfConda.begin(), kOfConda.end(), name) != kOfConda.end();
}

}  // namespace kernelfit::judging
