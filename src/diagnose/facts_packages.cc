// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts_packages.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "judge/pair_check.h"
#include "solve/python_fit.h"

namespace kernelfit {
namespace {

constexpr std::array<std::string_view, 6> kLibraries = {"torch",  "torchvision", "torchaudio",
                                                        "triton", "xformers",    "bitsandbytes"};

// One program under two names: the CPU package and the GPU package own the same files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCpuGpuPairs = {{
    {"onnxruntime", "onnxruntime-gpu"},
    {"faiss-cpu", "faiss-gpu"},
    {"tensorflow-cpu", "tensorflow"},
    {"tensorflow", "tensorflow-gpu"},
    {"paddlepaddle", "paddlepaddle-gpu"},
}};

// nvidia-* wheels whose files keep their name from one CUDA major to the next, in the same folder:
// libnccl.so.2, libcudnn.so.9, libcusolver.so.11, libcurand.so.10, libnvshmem_host.so.3.
constexpr std::array<std::string_view, 6> kSameFile = {"nvidia-nccl",     "nvidia-cudnn",
                                                       "nvidia-cusolver", "nvidia-curand",
                                                       "nvidia-nvshmem",  "nvidia-cusparselt"};

// The conda package of torch is called pytorch.
bool is_package(const Package& package, std::string_view name) {
  return package.name == name || (name == "torch" && package.name == "pytorch");
}
const Package* find_package(const Environment& environment, std::string_view name) {
  for (const auto& package : environment.packages) {
    if (is_package(package, name)) return &package;
  }
  return nullptr;
}

std::string local_version(const std::string& version) {
  auto parsed = PackageVersion::parse(version);
  return parsed ? parsed->local() : "";
}

void set_library(Facts& facts, const Environment& environment, std::string_view name) {
  std::string prefix = "env." + std::string(name) + ".";
  const Library* library = environment.library(name);
  const Package* package = find_package(environment, name);
  std::string source = package != nullptr ? package->metadata : "";
  std::string version = library != nullptr   ? library->version
                        : package != nullptr ? package->version
                                             : "";
  facts.set_text(prefix + "version", version, source);
  facts.set_text(prefix + "public", public_version(version), source);
  facts.set_text(prefix + "location", library != nullptr ? library->location : "");
  facts.set_fact(prefix + "build", library ? library->build : Fact<std::string>::absent(source));
  auto cuda = library ? library->cuda : Fact<DottedVersion>::absent(source);
  facts.set_fact(prefix + "cuda", cuda);
  facts.set(prefix + "cuda_major",
            {cuda.state(), cuda.has() ? cuda->first(1).text() : "", cuda.source()});
  facts.set_text(prefix + "conda", package != nullptr ? package->build : "", source);
  facts.set_text(prefix + "channel", package != nullptr ? package->channel : "", source);
  facts.set_text(prefix + "manager", package != nullptr ? package->manager : "", source);
}

const TorchRelease* release_of(const Facts& facts, const Knowledge& knowledge) {
  auto version = PackageVersion::parse(facts.at("env.torch.public").text);
  if (!version) return nullptr;
  for (const auto& release : knowledge.torch_releases()) {
    if (release.version == *version) return &release;
  }
  return nullptr;
}

// From here on a pair is no longer tied to one torch (stable ABI, docs/knowledge.md).
bool is_free(std::string_view name, const PackageVersion& torch, const PackageVersion& version) {
  auto at_least = [](const PackageVersion& a, const char* text) {
    return a >= *PackageVersion::parse(text);
  };
  if (name == "torchvision") return at_least(version, "0.29.1") && at_least(torch, "2.14.0");
  return at_least(version, "2.11.1") && at_least(torch, "2.11.0");
}

// Does torchvision or torchaudio belong to this torch: the same minor release as its pair.
void set_pair(Facts& facts, std::string_view name, const TorchRelease* release) {
  std::string prefix = "env." + std::string(name) + ".";
  facts.set_unknown(prefix + "pair");
  facts.set_unknown(prefix + "fits");
  if (release == nullptr) return;
  auto column = name == "torchvision" ? release->torchvision : release->torchaudio;
  auto pair = PackageVersion::parse(column);
  auto installed = PackageVersion::parse(facts.at(prefix + "public").text);
  if (!pair) return;
  if (!installed) {
    facts.set_absent(prefix + "pair");
    return facts.set_absent(prefix + "fits");
  }
  facts.set_known(prefix + "pair", std::string(column), "table");
  bool same =
      pair->release(0) == installed->release(0) && pair->release(1) == installed->release(1);
  facts.set_truth(prefix + "fits", same || is_free(name, release->version, *installed));
}

// Does it put up with the CUDA of the torch beside it?
void set_cuda_fits(Facts& facts, std::string_view name, const Knowledge& knowledge) {
  const std::string prefix = "env." + std::string(name) + ".";
  const auto& own = facts.at(prefix + "cuda");
  const auto& torch = facts.at("env.torch.cuda");
  const auto version = PackageVersion::parse(facts.at(prefix + "public").text);
  const auto own_cuda = DottedVersion::parse(own.text),
             torch_cuda = DottedVersion::parse(torch.text);
  if (!version || !own_cuda || !torch_cuda) return facts.set_unknown(prefix + "cuda_fits");
  facts.set_truth(prefix + "cuda_fits",
                  accepts_cuda(name, *version, *own_cuda, *torch_cuda, knowledge), "table");
}

// "torch torchvision": those of torch's family that lie in the user's folder, as pip names them.
void set_user_packages(Facts& facts, const Environment& environment) {
  std::vector<std::string> names;
  for (std::string_view name : {"torch", "torchvision", "torchaudio"}) {
    bool there = std::any_of(
        environment.packages.begin(), environment.packages.end(),
        [&](const Package& package) { return package.user_site && package.name == name; });
    if (there) names.emplace_back(name);
  }
  FactState state = names.empty() ? FactState::absent : FactState::known;
  facts.set("env.torch.user_packages", {state, join(names, " "), {}, {}, true});
}

// conda's record and the dist-info of the same release are one install.
void set_torch_packages(Facts& facts, const Environment& environment) {
  std::set<std::pair<std::string, bool>> installs;
  std::string user_site;
  std::vector<std::string> places;
  for (const auto& package : environment.packages) {
    if (!is_package(package, "torch")) continue;
    if (installs.emplace(public_version(package.version), package.user_site).second) {
      places.push_back(package.version + " " + package.location);
    }
    if (package.user_site) user_site = package.location;
  }
  const Package* cpuonly = environment.package("cpuonly");
  facts.set_text("env.cpuonly", cpuonly ? cpuonly->version : "", cpuonly ? cpuonly->metadata : "");
  facts.set_count("env.count.torch", installs.size());
  facts.set_text("env.torch.user_site", user_site, user_site);
  facts.set_text("env.torch.places", join(places, ", "));
}

std::string base_name(std::string_view package) {
  return std::string(package.substr(0, package.rfind("-cu")));
}

void set_nvidia_wheels(Facts& facts, const Environment& environment) {
  std::map<std::string, std::set<int>> majors;
  std::set<int> all;
  for (const auto& package : environment.packages) {
    int major = cuda_major_of(package.name);
    if (major == 0 || !package.name.starts_with("nvidia-")) continue;
    majors[base_name(package.name)].insert(major);
    all.insert(major);
  }
  std::vector<std::string> doubles, words;
  for (const auto& [base, of] : majors) {
    if (of.size() < 2 || std::find(kSameFile.begin(), kSameFile.end(), base) == kSameFile.end()) {
      continue;
    }
    for (int major : of) doubles.push_back(base + "-cu" + std::to_string(major));
  }
  for (int major : all) words.push_back(std::to_string(major));
  facts.set_text("env.nvidia_doubles", join(doubles, " "), "dist-info");
  facts.set_text("env.nvidia_majors", join(words, " "), "dist-info");
}

// The wheels of other CUDA majors than torch's: "nvidia-cublas-cu11 nvidia-nccl-cu11".
void set_stray_wheels(Facts& facts, const Environment& environment) {
  auto cuda = DottedVersion::parse(facts.at("env.torch.cuda").text);
  std::vector<std::string> stray, kept;
  for (const auto& package : environment.packages) {
    int major = cuda_major_of(package.name);
    if (!cuda || major == 0 || !package.name.starts_with("nvidia-")) continue;
    if (major != cuda->major()) {
      stray.push_back(package.name);
    } else if (contains_word(facts.at("env.nvidia_doubles").text, package.name)) {
      kept.push_back(package.name + "==" + package.version);
    }
  }
  for (auto [name, words] :
       {std::pair{"env.stray_wheels", &stray}, std::pair{"env.kept_wheels", &kept}}) {
    bool none = words->empty();
    facts.set(
        name,
        {none ? FactState::absent : FactState::known, join(*words, " "), "dist-info", {}, true});
  }
}

void set_cpu_gpu_pair(Facts& facts, const Environment& environment) {
  for (auto name : {"env.cpu_package", "env.gpu_package", "env.gpu_package_version"}) {
    facts.set_absent(name, "dist-info");
  }
  for (auto [cpu, gpu] : kCpuGpuPairs) {
    if (!environment.package(cpu) || !environment.package(gpu)) continue;
    facts.set_known("env.cpu_package", std::string(cpu), environment.package(cpu)->metadata);
    facts.set_known("env.gpu_package", std::string(gpu), environment.package(gpu)->metadata);
    facts.set_text("env.gpu_package_version", environment.package(gpu)->version);
    return;
  }
}

void set_cudnn_version(Facts& facts, const std::string& version, const std::string& source) {
  auto parsed = PackageVersion::parse(version);
  facts.set_known("env.cudnn", version, source);
  if (parsed) facts.set_count("env.cudnn_major", static_cast<std::size_t>(parsed->release(0)));
}

// nvidia-cudnn-frontend is a C++ library with numbers of its own.
bool is_cudnn(std::string_view package) {
  return package == "cudnn" || package == "nvidia-cudnn" || package.starts_with("nvidia-cudnn-cu");
}

// What a build of the table was made with: "9.10.2.21", of the line 9.10.
void set_built_cudnn(Facts& facts, std::string_view version) {
  const auto parsed = DottedVersion::parse(version);
  if (!parsed) return;
  facts.set_known("env.torch.cudnn", std::string(version), "table");
  facts.set_known("env.torch.cudnn_line", parsed->first(2).text(), "table");
  facts.set_known("env.torch.cudnn_major", std::to_string(parsed->major()), "table");
}

// What this torch brings as its own cuDNN: a package ("9.10.2.21"), else what the table says of it.
void set_cudnn(Facts& facts, const Environment& environment) {
  facts.set_absent("env.cudnn");
  facts.set_absent("env.cudnn_major");
  const std::string major = facts.at("env.torch.cuda_major").text;
  for (const auto& package : environment.packages) {
    if (!is_cudnn(package.name)) continue;
    const int of = cuda_major_of(package.name);
    if (of != 0 && !major.empty() && std::to_string(of) != major) continue;  // of another CUDA
    set_cudnn_version(facts, package.version, package.metadata);
  }
}

// A Python that was given beside it: "3.10 3.11 3.12". One that was found has it already.
void set_pythons(Facts& facts, const Environment& environment, const TorchBuild& row,
                 const Knowledge& knowledge) {
  if (environment.python.state() != FactState::given) return;
  facts.set_text("env.torch.pythons", replace_all(std::string(row.python), " ", ", "), "table");
  facts.set_truth(
      "env.torch.python_fits",
      solving::any_serves_python(row, *environment.python, environment.free_threaded, knowledge),
      "table");
}

// The glibc and the Pythons that the installed build asks for, and its index.
void set_build(Facts& facts, const Situation& situation, const Environment& environment) {
  for (auto name :
       {"env.torch.glibc_min", "env.torch.index", "env.torch.cudnn", "env.torch.cudnn_line",
        "env.torch.cudnn_major", "env.torch.pythons", "env.torch.python_fits"}) {
    facts.set_unknown(name);
  }
  std::string version = facts.at("env.torch.public").text, build = facts.at("env.torch.build").text;
  if (build.empty()) build = local_version(facts.at("env.torch.version").text);
  if (build.empty()) return;
  if (build.starts_with("cu") && parse_int(build.substr(2))) {
    facts.set_known("env.torch.index", "https://download.pytorch.org/whl/" + build);
  }
  auto wanted = PackageVersion::parse(version);
  auto platform = text_of(platform_of(situation.machine));
  if (!wanted) return;
  for (const auto& row : situation.knowledge.torch_builds()) {
    if (row.build != build || row.platform != platform || row.version != *wanted) continue;
    set_built_cudnn(facts, row.cudnn);
    if (!row.cudnn.empty() && !facts.at("env.cudnn").has()) {
      set_cudnn_version(facts, std::string(row.cudnn), "table");
    }
    set_pythons(facts, environment, row, situation.knowledge);
    return facts.set_text("env.torch.glibc_min", std::string(row.glibc_min), "table");
  }
}

}  // namespace

std::string public_version(const std::string& version) {
  auto parsed = PackageVersion::parse(version);
  return parsed ? parsed->public_text() : version;
}

int cuda_major_of(std::string_view package) {
  auto at = package.rfind("-cu");
  if (at == std::string_view::npos) return 0;
  auto number = parse_int(package.substr(at + 3));
  return number && *number >= 8 && *number < 100 ? static_cast<int>(*number) : 0;
}

void set_packages(Facts& facts, const Situation& situation, const Environment& environment) {
  for (auto name : kLibraries) set_library(facts, environment, name);
  const TorchRelease* release = release_of(facts, situation.knowledge);
  for (auto name : {"torchvision", "torchaudio"}) {
    set_pair(facts, name, release);
    set_cuda_fits(facts, name, situation.knowledge);
  }
  set_torch_packages(facts, environment);
  set_user_packages(facts, environment);
  set_nvidia_wheels(facts, environment);
  set_stray_wheels(facts, environment);
  set_cpu_gpu_pair(facts, environment);
  set_cudnn(facts, environment);
  set_build(facts, situation, environment);
}

}  // namespace kernelfit
