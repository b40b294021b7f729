// SPDX-License-Identifier: Apache-2.0
// The libraries of an environment that may hold GPU code: which build each is, and what its files
// hold. Of two copies the one that Python imports comes first.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "probe/environments.h"
#include "probe/library_files.h"
#include "pyenv/conda.h"
#include "pyenv/metadata.h"
#include "pyenv/version_py.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxVersionPy = std::size_t{64} << 10;  // a real one has 300 bytes
constexpr std::size_t kMaxUrl = 4096;

// torch first, then what is installed with it, then the rest.
int rank(std::string_view name) {
  constexpr std::string_view kFirst[] = {"torch", "torchvision", "torchaudio", "triton"};
  return static_cast<int>(std::ranges::find(kFirst, name) - std::begin(kFirst));
}

std::string public_version(std::string_view version) {
  return std::string(version.substr(0, version.find('+')));
}

struct VersionFile {
  std::string path;
  std::optional<VersionPy> said;
};

// "…/METADATA says 2.13.0+cu126, and version.py 2.13.0+cu130": an upgrade that did not end, or a
// second install over the first. pip goes by METADATA, Python imports the other. What one of them
// leaves out is no contradiction, nor is a .post of conda-forge's.
std::string contradiction(const Package& package, const VersionPy& said) {
  const auto recorded = PackageVersion::parse(package.version);
  const auto found = PackageVersion::parse(said.version);
  if (!package.metadata.ends_with("/METADATA") || !recorded || !found) return {};
  bool differ = false;
  for (std::size_t i = 0; i < std::max(recorded->release_size(), found->release_size()); ++i)
    differ = differ || recorded->release(i) != found->release(i);
  const std::string a = build_of_local_version(recorded->local());
  const std::string b = build_of_local_version(found->local());
  differ = differ || (!a.empty() && !b.empty() && a != b);
  return differ ? package.metadata + " says " + package.version + ", and version.py " + said.version
                : std::string();
}

VersionFile read_version_py(const Host& host, Library& library) {
  VersionFile out{join_path(library.location, "version.py"), std::nullopt};
  auto text = host.read_file(out.path, kMaxVersionPy);
  if (!text) {
    if (text.error().kind != ErrorKind::not_found) library.problems.push_back(text.error().text());
    return out;
  }
  auto said = parse_version_py(*text);
  if (said) {
    out.said = *said;
  } else {
    library.problems.push_back(out.path + ": " + said.error().text());
  }
  return out;
}

Fact<std::string> build_by_version_py(const VersionFile& file, bool of_conda) {
  if (!file.said || !file.said->has_cuda) {
    return Fact<std::string>::unknown("neither the version nor a file says which CUDA it is for");
  }
  if (!file.said->cuda) {
    const bool rocm = !file.said->hip.empty();
    return Fact<std::string>::known(rocm ? "rocm" + file.said->hip : "cpu", file.path);
  }
  const DottedVersion& cuda = *file.said->cuda;
  return Fact<std::string>::known(of_conda ? conda_build_of_cuda(cuda) : pip_build_of_cuda(cuda),
                                  file.path);
}

// conda's build string, else the local version, else what version.py says.
Fact<std::string> build_of(const Library& library, const Package* owner, const VersionFile& file) {
  const bool of_conda = owner != nullptr && !owner->build.empty();
  if (of_conda) {
    const CondaBuild build = parse_conda_build(owner->build);
    if (build.cuda) {
      return Fact<std::string>::known(conda_build_of_cuda(*build.cuda), owner->metadata);
    }
    if (build.cpu) return Fact<std::string>::known("cpu", owner->metadata);
  }
  auto version = PackageVersion::parse(library.version);
  const std::string local = version ? build_of_local_version(version->local()) : "";
  if (!local.empty()) {
    const bool by_file = file.said && file.said->version == library.version;
    return Fact<std::string>::known(local,
                                    by_file || owner == nullptr ? file.path : owner->metadata);
  }
  return build_by_version_py(file, of_conda);
}

Fact<DottedVersion> cuda_of(const Fact<std::string>& build, const VersionFile& file) {
  if (file.said && file.said->has_cuda) {
    return file.said->cuda ? Fact<DottedVersion>::known(*file.said->cuda, file.path)
                           : Fact<DottedVersion>::absent(file.path);
  }
  if (!build.has()) return Fact<DottedVersion>::unknown(build.reason());
  if (auto cuda = cuda_of_build(*build)) {
    return Fact<DottedVersion>::known(*cuda, build.source());
  }
  return Fact<DottedVersion>::absent(build.source());
}

// Whether a package's files lie in this site: conda's location is the prefix.
bool lies_in(const Package& package, const Site& site, const Environment& environment) {
  if (package.location == site.path) return true;
  return !package.build.empty() && !site.user_site && !site.by_pth &&
         package.location == environment.path && site.path.starts_with(environment.path);
}

// pip over conda's files leaves two records of one folder: version.py says whose files they are.
const Package* owner_of(const std::vector<const Package*>& packages, const VersionFile& file) {
  if (packages.empty()) return nullptr;
  if (file.said) {
    for (const Package* package : packages) {
      if (package->version == file.said->version) return package;
    }
    for (const Package* package : packages) {
      if (public_version(package->version) == public_version(file.said->version)) return package;
    }
  }
  return packages.front();
}

// Brings the owner before the first of the packages that share its folder.
void prefer(const std::string& owner_file, const std::string& first_file,
            Environment& environment) {
  auto first = std::ranges::find(environment.packages, first_file, &Package::metadata);
  auto owner = std::ranges::find(environment.packages, owner_file, &Package::metadata);
  if (owner != environment.packages.end() && owner > first) std::rotate(first, owner, owner + 1);
}

class Reader {
 public:
  Reader(const Host& host, const GpuPackages& known, const std::vector<Site>& sites,
         const BinaryReading& reading, Environment& environment)
      : host_(host), known_(known), sites_(sites), reading_(reading), environment_(environment) {}

  void run() {
    for (const auto& name : names()) read_copies(name);
    read_files();
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> out = {"torch"};  // its folder counts even without a dist-info
    for (const auto& package : environment_.packages) {
      if (known_.is_library(package.name)) out.push_back(package.name);
    }
    std::ranges::stable_sort(out, {},
                             [](const std::string& name) { return std::pair(rank(name), name); });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  void read_copies(const std::string& name) {
    std::size_t before = environment_.libraries.size();
    for (const auto& site : sites_) {
      std::vector<const Package*> packages;
      for (const auto& package : environment_.packages) {
        if (package.name == name && lies_in(package, site, environment_)) {
          packages.push_back(&package);
        }
      }
      read_copy(name, site, packages);
    }
    // A conda record whose site folder was not found.
    const Package* package = environment_.package(name);
    if (environment_.libraries.size() > before || package == nullptr) return;
    Library library;
    library.name = name;
    library.version = package->version;
    library.build = build_of(library, package, {});
    library.cuda = cuda_of(library.build, {});
    environment_.libraries.push_back(std::move(library));
  }

  void read_copy(const std::string& name, const Site& site,
                 const std::vector<const Package*>& packages) {
    const GpuPackage* row = known_.find(name);
    const std::string folder = known_.folder_of(name);
    const bool has_folder = site.entry(folder) != nullptr;
    Library library;
    library.name = name;
    library.location = has_folder ? join_path(site.path, folder) : site.path;
    const std::string elsewhere =
        has_folder || packages.empty() ? "" : editable_folder(*packages.front(), folder);
    if (!elsewhere.empty()) library.location = elsewhere;
    VersionFile file;
    if ((has_folder || !elsewhere.empty()) &&
        (name == "torch" || (row != nullptr && row->version_py))) {
      file = read_version_py(host_, library);
    }
    if (packages.empty() && !file.said) return;
    const Package* owner = owner_of(packages, file);
    library.version = version_of(owner, file);
    library.build = build_of(library, owner, file);
    library.cuda = cuda_of(library.build, file);
    if (owner != nullptr && owner->build.empty() && file.said && elsewhere.empty() &&
        name == "torch") {
      std::string problem = contradiction(*owner, *file.said);
      if (!problem.empty()) library.problems.push_back(std::move(problem));
    }
    if (!has_folder && elsewhere.empty() && name == "torch") report_missing_folder(*owner, library);
    if (reads_files_of(name)) {
      for (auto& path : library_file_paths(host_, site, environment_, row, library)) {
        paths_.push_back(std::move(path));
        library_of_path_.push_back(environment_.libraries.size());
      }
    }
    if (owner != nullptr) {
      prefer(std::string(owner->metadata), std::string(packages.front()->metadata), environment_);
    }
    environment_.libraries.push_back(std::move(library));
  }

  // version.py knows the local version that PyPI's METADATA leaves out: 2.3.1 is 2.3.1+cpu.
  static std::string version_of(const Package* owner, const VersionFile& file) {
    if (owner == nullptr) return file.said->version;
    const bool more = file.said && contains(file.said->version, "+") &&
                      public_version(file.said->version) == public_version(owner->version);
    const bool other =
        file.said && public_version(file.said->version) != public_version(owner->version);
    return more || other ? file.said->version : owner->version;
  }

  // `pip install -e` of today: a hook leads to the source tree that direct_url.json names.
  std::string editable_folder(const Package& package, const std::string& folder) const {
    auto text =
        read_head(host_, join_path(parent_path(package.metadata), "direct_url.json"), kMaxUrl);
    auto url = text ? parse_direct_url(*text) : Result<DirectUrl>(tl::unexpected(text.error()));
    if (!url || !url->editable) return {};
    const std::string root = path_of_file_url(url->url);
    for (const std::string& path :
         {join_path(root, folder), join_path(join_path(root, "src"), folder)}) {
      if (!root.empty() && host_.is_dir(path)) return path;
    }
    return {};
  }

  // An install whose files are gone: RECORD is there, the folder is not.
  void report_missing_folder(const Package& owner, Library& library) const {
    const std::string record = join_path(parent_path(owner.metadata), "RECORD");
    if (owner.build.empty() && host_.exists(record)) {
      library.problems.push_back(join_path(owner.location, "torch") + ": the folder is missing");
    }
  }

  // The headers of NVIDIA's libraries alone would make 20 MB of a recording. A table knows the
  // range of cuBLAS, and the others reach as far as the toolkit that torch was built with.
  bool reads_files_of(std::string_view name) const {
    const bool nvidias = name.starts_with("nvidia-") || name.starts_with("libcu") || name == "nccl";
    const bool records = reading_.search == nullptr;
    return reading_.any && !(records && nvidias && !contains(name, "cudnn"));
  }

  // All files of all libraries together, so that they are read side by side.
  void read_files() {
    auto read = read_binaries(host_, paths_, reading_);
    for (std::size_t i = 0; i < read.size(); ++i) {
      keep(std::move(read[i]), paths_[i], environment_.libraries[library_of_path_[i]]);
    }
    if (!reading_.any) return;
    for (auto& library : environment_.libraries) report_missing_code(library);
  }

  static void keep(Result<BinaryImages> images, const std::string& path, Library& library) {
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

  // A torch for CUDA without a file that holds GPU code.
  void report_missing_code(Library& library) const {
    if (library.name != "torch" || !library.cuda.has()) return;
    if (!library.problems.empty()) return;
    std::string problem = torch_code_problem(host_, library);
    if (!problem.empty()) library.problems.push_back(std::move(problem));
  }

  const Host& host_;
  const GpuPackages& known_;
  const std::vector<Site>& sites_;
  const BinaryReading& reading_;
  Environment& environment_;
  std::vector<std::string> paths_;
  std::vector<std::size_t> library_of_path_;  // beside paths_
};

}  // namespace

void read_libraries(const Host& host, const GpuPackages& known, const std::vector<Site>& sites,
                    const BinaryReading& reading, Environment& environment) {
  Reader(host, known, sites, reading, environment).run();
}

}  // namespace kernelfit
