// SPDX-License-Identifier: Apache-2.0
// CUDA toolkits on disk, and cuDNN where it lies beside them. nvcc is not run.
#include <algorithm>

#include "nvidia/system_text.h"
#include "probe/environments.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxToolkits = 32;
constexpr const char* kWindowsFolder = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA";

// The first include folder that holds the header: /usr/local/cuda has `include`, a conda
// environment or a cross-compile layout has targets/….
std::vector<std::string> include_folders(std::string_view path) {
  return {join_path(path, "include"), join_path(path, "targets/x86_64-linux/include"),
          join_path(path, "targets/sbsa-linux/include"),
          join_path(path, "targets/aarch64-linux/include")};
}

template <typename Parse>
Fact<DottedVersion> version_of(const Result<std::string>& text, const std::string& path,
                               Parse parse) {
  if (!text) return fact_of_error<DottedVersion>(text.error(), path);
  std::optional<DottedVersion> version = parse(*text);
  if (!version) return Fact<DottedVersion>::unknown("it holds no version", path);
  return Fact<DottedVersion>::known(*version, path);
}

template <typename Parse>
Fact<DottedVersion> version_in(const Host& host, const std::string& path, Parse parse) {
  return version_of(host.read_file(path, std::size_t{1} << 20), path, parse);
}

// Headers say their version near the top (cuda.h of 13.0 at 14 kB of 1.1 MB); what is not read is
// not in a recording either.
template <typename Parse>
Fact<DottedVersion> version_in_header(const Host& host, const std::string& path, Parse parse) {
  return version_of(read_head(host, path, std::size_t{64} << 10), path, parse);
}

// "/usr/local/cuda-12.4" -> 12.4; "v12.6" on Windows
std::optional<DottedVersion> version_of_folder(std::string_view path) {
  std::string_view name = base_name(path);
  for (std::string_view start : {"cuda-", "v"}) {
    if (name.starts_with(start)) return DottedVersion::parse(name.substr(start.size()));
  }
  return std::nullopt;
}

Fact<DottedVersion> read_version(const Host& host, const std::string& path) {
  Fact<DottedVersion> version =
      version_in(host, join_path(path, "version.json"), parse_cuda_version_json);
  if (version.has()) return version;
  version = version_in(host, join_path(path, "version.txt"), parse_cuda_version_txt);
  if (version.has()) return version;
  for (const std::string& folder : include_folders(path)) {
    version = version_in_header(host, join_path(folder, "cuda.h"), parse_cuda_header);
    if (version.has()) return version;
  }
  if (auto named = version_of_folder(path)) return Fact<DottedVersion>::known(*named, path);
  return Fact<DottedVersion>::unknown("no version.json, version.txt or cuda.h", path);
}

Fact<DottedVersion> read_cudnn(const Host& host, const std::string& path) {
  for (const std::string& folder : include_folders(path)) {
    for (std::string_view name : {"cudnn_version.h", "cudnn.h"}) {
      Fact<DottedVersion> version =
          version_in_header(host, join_path(folder, name), parse_cudnn_header);
      if (version.has()) return version;
    }
  }
  return Fact<DottedVersion>::absent(join_path(path, "include/cudnn_version.h"));
}

std::string real_or_same(const Host& host, std::string_view path) {
  Result<std::string> real = host.real_path(path);
  return real ? *real : std::string(path);
}

// The toolkit of the first nvcc on PATH: …/bin/nvcc, through links such as /etc/alternatives.
std::string toolkit_on_path(const Host& host, bool windows) {
  std::string path = host.env("PATH").value_or("");
  for (std::string_view folder : split(path, windows ? ';' : ':')) {
    if (folder.empty()) continue;
    std::string nvcc = join_path(folder, windows ? "nvcc.exe" : "nvcc");
    if (!host.exists(nvcc)) continue;
    std::string real = real_or_same(host, nvcc);
    return std::string(parent_path(parent_path(real)));
  }
  return {};
}

class Finder {
 public:
  Finder(const Host& host, Machine& machine) : host_(host), machine_(machine) {}

  // The toolkit at `path`, added where it is new; nullptr where there is none.
  Toolkit* add(const std::string& path, bool must_look_like_one) {
    if (path.empty() || !host_.is_dir(path)) return nullptr;
    std::string real = real_or_same(host_, path);
    for (Toolkit& known : machine_.toolkits) {
      if (known.path == real) return &known;
    }
    if (machine_.toolkits.size() == kMaxToolkits) return nullptr;
    Toolkit toolkit;
    toolkit.path = real;
    toolkit.version = read_version(host_, real);
    if (must_look_like_one && !toolkit.version.has()) return nullptr;
    toolkit.cudnn = read_cudnn(host_, real);
    return &machine_.toolkits.emplace_back(std::move(toolkit));
  }

  // /usr/local/cuda-12.4, …\CUDA\v12.6
  void add_all_in(std::string_view folder, std::string_view start) {
    Result<std::vector<DirEntry>> entries = host_.list_dir(folder);
    if (!entries) return;
    for (const DirEntry& entry : *entries) {
      if (entry.name.starts_with(start)) add(join_path(folder, entry.name), true);
    }
  }

 private:
  const Host& host_;
  Machine& machine_;
};

}  // namespace

void probe_toolkits(const Host& host, const ProbeOptions&, Machine& machine) {
  Finder finder(host, machine);
  bool windows = is_windows(machine);
  if (windows) {
    finder.add_all_in(kWindowsFolder, "v");
  } else {
    finder.add_all_in("/usr/local", "cuda");
    finder.add("/opt/cuda", true);      // Arch
    finder.add("/usr/lib/cuda", true);  // Debian's nvidia-cuda-toolkit
  }
  if (machine.variables.cuda_home.has()) {
    Toolkit* home = finder.add(*machine.variables.cuda_home, false);
    if (home != nullptr) home->is_cuda_home = true;
  }
  Toolkit* first = finder.add(toolkit_on_path(host, windows), false);
  if (first != nullptr) first->on_path = true;
  std::ranges::stable_sort(machine.toolkits, {}, &Toolkit::path);
}

}  // namespace kernelfit
