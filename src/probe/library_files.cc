// SPDX-License-Identifier: Apache-2.0
#include "probe/library_files.h"

#include <algorithm>

#include "base/text.h"
#include "pyenv/conda.h"
#include "pyenv/version_py.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxFiles = 32;

// Where torch's kernels were, newest first: libtorch_cuda.so since 1.5, in two parts from 1.10 to
// 1.13, linear algebra apart since 1.13; libtorch.so from 1.2 to 1.4; libcaffe2_gpu.so up to 1.1.
constexpr std::string_view kTorchCuda[] = {"libtorch_cuda.so", "libtorch_cuda_cu.so",
                                           "libtorch_cuda_cpp.so", "libtorch_cuda_linalg.so"};
constexpr std::string_view kOldTorch[] = {"libtorch.so",    "libcaffe2_gpu.so", "libATen.so",
                                          "libATen.so.1",   "libTHC.so.1",      "libTHC.so",
                                          "libTHCUNN.so.1", "libTHCUNN.so"};

bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  const std::string_view front = pattern.substr(0, star), back = pattern.substr(star + 1);
  return name.size() >= front.size() + back.size() && name.starts_with(front) &&
         name.ends_with(back);
}

void read_file(const Host& host, const std::string& path, Library& library) {
  auto images = read_binary_images(host, path);
  if (!images) {
    const std::string text = images.error().text();
    library.problems.push_back(text.starts_with(path) ? text : path + ": " + text);
    return;
  }
  if (!images->problems.empty()) {
    std::string line = path + ": " + images->problems.front();
    const std::size_t more = images->problems.size() - 1;
    if (more > 0) line += " (and " + std::to_string(more) + " more)";
    library.problems.push_back(std::move(line));
  }
  if (!images->groups.empty()) library.binaries.push_back(std::move(*images));
}

std::vector<std::string> find_files(const Host& host, const Site& site, std::string_view patterns) {
  std::vector<std::string> out;
  for (std::string_view pattern : split_words(patterns)) {
    const std::size_t slash = pattern.rfind('/');
    const bool top = slash == std::string_view::npos;
    const std::string folder = top ? site.path : join_path(site.path, pattern.substr(0, slash));
    auto entries = top ? Result<std::vector<DirEntry>>(site.entries) : host.list_dir(folder);
    if (!entries) continue;
    for (const auto& entry : *entries) {
      const bool file = entry.kind == FileKind::regular || entry.kind == FileKind::symlink;
      if (!file || !matches(entry.name, top ? pattern : pattern.substr(slash + 1))) continue;
      if (out.size() < kMaxFiles) out.push_back(join_path(folder, entry.name));
    }
  }
  return out;
}

// In torch/lib; conda-forge and Debian keep them in the prefix's lib, with a version behind.
std::string find_torch_file(
    const std::vector<std::pair<std::string, std::vector<DirEntry>>>& folders,
    std::string_view name) {
  for (const auto& [folder, entries] : folders) {
    for (const auto& entry : entries) {
      if (entry.name == name || entry.name.starts_with(std::string(name) + ".")) {
        return join_path(folder, entry.name);
      }
    }
  }
  return {};
}

void read_torch(const Host& host, const Environment& environment, Library& library) {
  std::vector<std::pair<std::string, std::vector<DirEntry>>> folders;
  const std::string own = join_path(library.location, "lib");
  auto own_entries = host.list_dir(own);
  const bool has_own = own_entries && !own_entries->empty();
  if (has_own) folders.emplace_back(own, std::move(*own_entries));
  auto add_folder = [&](const std::string& path) {
    if (auto entries = host.list_dir(path)) folders.emplace_back(path, std::move(*entries));
  };
  if (environment.kind == "conda") add_folder(join_path(environment.path, "lib"));
  if (environment.kind == "system" && environment.path == "/usr") {
    for (std::string_view triplet : {"x86_64-linux-gnu", "aarch64-linux-gnu"}) {
      add_folder(join_path("/usr/lib", triplet));
    }
  }
  bool found = false;
  for (std::string_view name : kTorchCuda) {
    const std::string path = find_torch_file(folders, name);
    if (path.empty()) continue;
    found = true;
    read_file(host, path, library);
  }
  if (found) return;
  for (std::string_view name : kOldTorch) {
    const std::string path = find_torch_file(folders, name);
    if (!path.empty()) read_file(host, path, library);
  }
  const bool nothing_read = library.binaries.empty() && library.problems.empty();
  const bool real_folder =
      has_own && !find_torch_file({folders.front()}, "libtorch_python.so").empty();
  if (real_folder && nothing_read && library.cuda.has()) {
    library.problems.push_back(join_path(own, "libtorch_cuda.so") + ": is missing");
  }
}

// "121" of libbitsandbytes_cuda121.so; empty for …_nocublaslt.so.
std::string bitsandbytes_number(std::string_view path) {
  constexpr std::string_view kFront = "libbitsandbytes_cuda", kBack = ".so";
  std::string_view name = base_name(path);
  if (!matches(name, "libbitsandbytes_cuda*.so")) return {};
  name = name.substr(kFront.size(), name.size() - kFront.size() - kBack.size());
  return parse_int(name) ? std::string(name) : "";
}

void read_bitsandbytes(const Host& host, const Environment& environment,
                       const std::vector<std::string>& paths, Library& library) {
  const Library* torch = environment.library("torch");
  const DottedVersion cuda = torch != nullptr && torch->cuda.has() ? *torch->cuda : DottedVersion();
  const std::string chosen =
      choose_bitsandbytes(paths, cuda, host.env("BNB_CUDA_VERSION").value_or(""));
  for (const auto& path : paths) {
    if (path == chosen) {
      const std::string build = "cu" + bitsandbytes_number(path);
      library.build = Fact<std::string>::known(build, path);
      if (auto number = cuda_of_build(build)) {
        library.cuda = Fact<DottedVersion>::known(*number, path);
      }
      read_file(host, path, library);
    } else {
      library.other_binaries.emplace_back(base_name(path));
    }
  }
  if (chosen.empty() && !paths.empty()) {
    library.problems.push_back(library.location + ": no library for CUDA " + cuda.text() +
                               ", only " + join(library.other_binaries, " "));
  }
}

}  // namespace

std::string choose_bitsandbytes(const std::vector<std::string>& names, const DottedVersion& cuda,
                                std::string_view override_number) {
  std::string best;
  DottedVersion best_version;
  for (const auto& name : names) {
    const std::string number = bitsandbytes_number(name);
    const auto version = cuda_of_build("cu" + number);
    if (number.empty() || !version) continue;
    if (!override_number.empty()) {
      if (number == override_number) return name;
      continue;
    }
    // Its own CUDA, else the newest below it of the same major version.
    const bool fits =
        cuda.empty() || (version->major() == cuda.major() && *version <= cuda.first(2));
    if (!fits || (!best.empty() && *version <= best_version)) continue;
    best = name;
    best_version = *version;
  }
  return best;
}

void read_library_files(const Host& host, const Site& site, const Environment& environment,
                        const GpuPackage* row, Library& library) {
  if (library.name == "torch") return read_torch(host, environment, library);
  if (row == nullptr || row->reads != "files") return;
  const std::vector<std::string> paths = find_files(host, site, row->files);
  if (library.name == "bitsandbytes") {
    return read_bitsandbytes(host, environment, paths, library);
  }
  for (const auto& path : paths) read_file(host, path, library);
}

}  // namespace kernelfit
