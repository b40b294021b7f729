// SPDX-License-Identifier: Apache-2.0
#include "probe/library_files.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "pyenv/conda.h"
#include "pyenv/version_py.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxFiles = 32;

// Where torch's kernels were, newest first: libtorch_cuda.so since 1.5, in two parts from 1.10 to
// 1.13, linear algebra apart since 1.13; libtorch.so from 1.2 to 1.4; libcaffe2_gpu.so up to 1.1.
constexpr std::string_view kTorchCuda[] = {
    "libtorch_cuda.so", "libtorch_cuda_cu.so", "libtorch_cuda_cpp.so", "libtorch_cuda_linalg.so",
    "torch_cuda.dll",   "torch_cuda_cu.dll",   "torch_cuda_cpp.dll",   "torch_cuda_linalg.dll"};
constexpr std::string_view kOldTorch[] = {
    "libtorch.so", "libcaffe2_gpu.so", "libATen.so",   "libATen.so.1", "libTHC.so.1",
    "libTHC.so",   "libTHCUNN.so.1",   "libTHCUNN.so", "torch.dll",    "caffe2_gpu.dll"};
// What wheels that do not come with nvidia-* packages bring along beside them.
constexpr std::string_view kBundled[] = {
    "libcudnn_ops*.so*",  "libcudnn_cnn*.so*",  "libcudnn_adv*.so*",  "libcudnn.so.7*",
    "cudnn_ops*64_*.dll", "cudnn_cnn*64_*.dll", "cudnn_adv*64_*.dll", "cudnn64_7.dll",
    "libcublas*.so*",     "cublas*64_*.dll"};

// `*` stands for any text, also for none.
bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
    if (matches(name.substr(skipped), pattern)) return true;
  }
  return false;
}

bool can_be_read(const DirEntry& entry) {
  return entry.kind == FileKind::regular || entry.kind == FileKind::symlink;
}

// "libcudnn_ops" of libcudnn_ops.so, libcudnn_ops.so.9 and libcudnn_ops.so.9.10.1: one file.
std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.find(".so"));
}

void add_matches(const std::string& folder, const std::vector<DirEntry>& entries,
                 std::string_view pattern, std::vector<std::string>& out) {
  std::string_view last;
  for (const auto& entry : entries) {
    if (!can_be_read(entry) || !matches(entry.name, pattern)) continue;
    if (pattern.ends_with(".so*") && stem_of(entry.name) == last) continue;
    last = stem_of(entry.name);
    if (out.size() < kMaxFiles) out.push_back(join_path(folder, entry.name));
  }
}

// The folders that "nvidia/cu*/lib" names: `*` in one part that is not the last.
std::vector<std::string> find_folders(const Host& host, const std::string& root,
                                      std::string_view folder) {
  const std::size_t star = folder.find('*');
  if (star == std::string_view::npos) return {join_path(root, folder)};
  const std::size_t begin = folder.rfind('/', star) + 1;
  const std::size_t end = std::min(folder.find('/', star), folder.size());
  const std::string above = join_path(root, folder.substr(0, begin));
  std::vector<std::string> out;
  for (const auto& entry : host.list_dir(above).value_or(std::vector<DirEntry>())) {
    if (entry.kind != FileKind::directory) continue;
    if (!matches(entry.name, folder.substr(begin, end - begin))) continue;
    out.push_back(join_path(join_path(above, entry.name), folder.substr(end + 1)));
  }
  return out;
}

std::vector<std::string> find_files(const Host& host, const Site& site,
                                    const Environment& environment, std::string_view patterns) {
  std::vector<std::string> out;
  std::map<std::string, std::vector<DirEntry>> listed;  // a conda prefix has thousands in its lib
  for (std::string_view pattern : split_words(patterns)) {
    const bool of_prefix = pattern.starts_with("@/");
    if (of_prefix && environment.kind != "conda") continue;
    if (of_prefix) pattern.remove_prefix(2);
    const std::size_t slash = pattern.rfind('/');
    if (slash == std::string_view::npos) {
      add_matches(site.path, site.entries, pattern, out);
      continue;
    }
    const std::string root = of_prefix ? environment.path : site.path;
    for (const auto& folder : find_folders(host, root, pattern.substr(0, slash))) {
      const auto [entries, is_new] = listed.try_emplace(folder);
      if (is_new) entries->second = host.list_dir(folder).value_or(std::vector<DirEntry>());
      add_matches(folder, entries->second, pattern.substr(slash + 1), out);
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

using Folders = std::vector<std::pair<std::string, std::vector<DirEntry>>>;

Folders torch_folders(const Host& host, const Environment& environment, const Library& torch) {
  Folders folders;
  auto add_folder = [&](const std::string& path) {
    if (auto entries = host.list_dir(path)) folders.emplace_back(path, std::move(*entries));
  };
  add_folder(join_path(torch.location, "lib"));
  if (environment.kind == "conda") add_folder(join_path(environment.path, "lib"));
  if (environment.kind == "system" && environment.path == "/usr") {
    for (std::string_view triplet : {"x86_64-linux-gnu", "aarch64-linux-gnu"}) {
      add_folder(join_path("/usr/lib", triplet));
    }
  }
  return folders;
}

std::vector<std::string> torch_file_paths(const Host& host, const Environment& environment,
                                          const Library& torch) {
  const Folders folders = torch_folders(host, environment, torch);
  std::vector<std::string> out;
  auto add_first = [&](std::string_view name) {
    const std::string path = find_torch_file(folders, name);
    if (!path.empty()) out.push_back(path);
  };
  for (std::string_view name : kTorchCuda) add_first(name);
  if (out.empty()) {
    for (std::string_view name : kOldTorch) add_first(name);
  }
  const std::string own = join_path(torch.location, "lib");
  if (out.empty() || folders.empty() || folders.front().first != own) return out;
  for (std::string_view pattern : kBundled) {
    add_matches(own, folders.front().second, pattern, out);
  }
  return out;
}

// "121" of libbitsandbytes_cuda121.so; empty for …_nocublaslt.so.
std::string bitsandbytes_number(std::string_view path) {
  constexpr std::string_view kFront = "libbitsandbytes_cuda";
  std::string_view name = base_name(path);
  if (!name.starts_with(kFront)) return {};
  name = name.substr(kFront.size(), name.rfind('.') - kFront.size());
  return parse_int(name) ? std::string(name) : "";
}

std::vector<std::string> bitsandbytes_file(const Host& host, const Environment& environment,
                                           const std::vector<std::string>& paths,
                                           Library& library) {
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
    } else {
      library.other_binaries.emplace_back(base_name(path));
    }
  }
  if (chosen.empty() && !paths.empty()) {
    library.problems.push_back(library.location + ": no library for CUDA " + cuda.text() +
                               ", only " + join(library.other_binaries, " "));
  }
  return chosen.empty() ? std::vector<std::string>() : std::vector<std::string>{chosen};
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

std::vector<std::string> library_file_paths(const Host& host, const Site& site,
                                            const Environment& environment, const GpuPackage* row,
                                            Library& library) {
  if (library.name == "torch") return torch_file_paths(host, environment, library);
  if (row == nullptr || row->reads != "files") return {};
  std::vector<std::string> paths = find_files(host, site, environment, row->files);
  if (library.name != "bitsandbytes") return paths;
  return bitsandbytes_file(host, environment, paths, library);
}

std::string torch_code_problem(const Host& host, const Library& torch) {
  const bool has_code = std::ranges::any_of(torch.binaries, [](const BinaryImages& binary) {
    const std::string_view name = base_name(binary.file);
    return std::ranges::find(kTorchCuda, name) != std::end(kTorchCuda) ||
           std::ranges::find(kOldTorch, name) != std::end(kOldTorch);
  });
  const std::string own = join_path(torch.location, "lib");
  auto entries =
      has_code ? Result<std::vector<DirEntry>>(std::vector<DirEntry>()) : host.list_dir(own);
  if (!entries) return {};
  const Folders folders = {{own, std::move(*entries)}};
  const std::string there = find_torch_file(folders, kTorchCuda[0]);
  if (!there.empty()) {
    // A recorded machine can hold a library by its name alone.
    const auto info = host.file_info(there);
    return info && info->size_bytes > 0 ? there + ": holds no GPU code" : std::string();
  }
  const bool real_folder = !find_torch_file(folders, "libtorch_python.so").empty();
  return real_folder ? join_path(own, kTorchCuda[0]) + ": is missing" : std::string();
}

}  // namespace kernelfit
