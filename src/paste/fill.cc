// SPDX-License-Identifier: Apache-2.0
#include "paste/fill.h"

#include <algorithm>

#include "base/text.h"
#include "knowledge/probe_rows.h"
#include "nvidia/pci_text.h"
#include "nvidia/system_text.h"
#include "pyenv/names.h"
#include "pyenv/version_py.h"

namespace kernelfit {
namespace {

std::string field(const LogEvent& event, std::string_view name) {
  auto it = event.fields.find(name);
  return it == event.fields.end() ? std::string() : it->second;
}

GpuPackages packages_of(const Knowledge& knowledge) {
  std::vector<std::string> problems;
  std::vector<GpuPackage> rows;
  for (const auto& row : package_rows(knowledge, problems)) {
    rows.push_back({std::string(row.name), std::string(row.pip_name), std::string(row.reads),
                    std::string(row.folder), std::string(row.files), row.version_py});
  }
  return GpuPackages(std::move(rows));
}

// "8.6", "sm_86", "86", "(8, 6)"
std::optional<ComputeCapability> capability_in(std::string text) {
  for (const char* from : {"(", ")", " "}) text = replace_all(std::move(text), from, "");
  return ComputeCapability::parse(replace_all(std::move(text), ",", "."));
}

// "2.6.0+cu126", "0.1.12+0ba2043", "1.10": without the marks around it.
std::string version_in(std::string_view text) {
  while (!text.empty() &&
         std::string_view(".,;:)'\"").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return PackageVersion::parse(text) ? std::string(text) : std::string();
}

bool same_card(const std::string& a, const std::string& b) {
  auto plain = [](const std::string& name) {
    std::string out = lower(replace_all(name, " ", ""));
    for (const char* word : {"nvidia", "geforce", "tesla", "quadro"})
      out = replace_all(out, word, "");
    return out;
  };
  std::string x = plain(a), y = plain(b);
  return x == y || (x.size() > 3 && y.starts_with(x)) || (y.size() > 3 && x.starts_with(y));
}

template <typename T>
bool set_first(Fact<T>& fact, T value, const std::string& source) {
  if (!fact.is_unknown()) return false;
  fact = Fact<T>::known(std::move(value), source);
  return true;
}

// How collect_env writes a torch.version.cuda of None. "N/A" it writes for ROCm builds as well.
bool is_none(const std::string& text) {
  std::string word = lower(text);
  return word == "none" || word == "could not collect";
}

// The branch that the toolkit of this CUDA asks for; 0 where no table says.
int first_branch_for(const DottedVersion& cuda, const Knowledge& knowledge) {
  for (const auto& row : knowledge.driver_minimums()) {
    const auto least = DottedVersion::parse(std::string(row.linux_min));
    if (row.cuda == cuda && least) return static_cast<int>(least->major());
  }
  return 0;
}

}  // namespace

MachineFiller::MachineFiller(Paste& paste, const Knowledge& knowledge)
    : paste_(paste), knowledge_(knowledge), packages_(packages_of(knowledge)) {
  paste_.machine.hypothetical = true;
  paste_.machine.pasted = true;
}

void MachineFiller::tell(std::string what, std::string value, const LogEvent& event) {
  paste_.facts.push_back(
      {std::move(what), std::move(value), line_source(paste_.machine, event.line)});
}

Environment& MachineFiller::environment() {
  auto& all = paste_.machine.environments;
  if (all.empty()) {
    all.emplace_back();
    all.back().kind = "given";
    all.back().active = true;
  }
  return all.front();
}

Library& MachineFiller::library(const std::string& name) {
  auto& all = environment().libraries;
  for (auto& one : all) {
    if (one.name == name) return one;
  }
  Library out;
  out.name = name;
  return *all.insert(name == "torch" ? all.begin() : all.end(), std::move(out));
}

Gpu* MachineFiller::named(const std::string& name) {
  for (auto& gpu : paste_.machine.gpus) {
    if (gpu.name.has() && same_card(*gpu.name, name)) return &gpu;
  }
  return nullptr;
}

void MachineFiller::add_gpu(const LogEvent& event, const std::string& name) {
  Gpu gpu;
  gpu.given = true;
  gpu.index =
      static_cast<int>(parse_int(field(event, "gpu_index"))
                           .value_or(static_cast<std::int64_t>(paste_.machine.gpus.size())));
  if (!name.empty())
    gpu.name = Fact<std::string>::known(name, line_source(paste_.machine, event.line));
  if (!name.empty()) tell("gpu", name, event);
  paste_.machine.gpus.push_back(std::move(gpu));
}

// A list says each card by its number; a name in passing is one of them, or the only one there is.
void MachineFiller::set_gpu(const LogEvent& event, bool listed) {
  auto& gpus = paste_.machine.gpus;
  std::string name = plain_gpu_name(field(event, "gpu_name"));
  auto capability = capability_in(field(event, "capability"));
  auto index = parse_int(field(event, "gpu_index"));
  Gpu* gpu = name.empty() ? nullptr : named(name);
  bool another =
      index && gpu != nullptr && gpu->index != *index && listed &&
      std::none_of(gpus.begin(), gpus.end(), [&](const Gpu& one) { return one.index == *index; });
  if (!name.empty() && (gpu == nullptr || another)) {
    bool may_add = another || gpus.empty() || (listed && index) || (!listed_ && listed);
    if (may_add) {
      add_gpu(event, name);
      gpu = &gpus.back();
    }
  }
  listed_ = listed_ || (listed && !name.empty());
  if (name.empty() && gpus.size() == 1) gpu = &gpus.front();
  if (name.empty() && gpus.empty() && capability) {
    add_gpu(event, "");
    gpu = &gpus.front();
  }
  if (gpu == nullptr) return;
  const std::string source = line_source(paste_.machine, event.line);
  if (capability && set_first(gpu->compute_capability, *capability, source)) {
    tell("capability", capability->text(), event);
  }
  if (auto mib = parse_int(field(event, "memory_mib"))) set_first(gpu->memory_mib, *mib, source);
}

void MachineFiller::set_library(const std::string& name, const std::string& version,
                                const LogEvent& event) {
  std::string found = version_in(version);
  if (found.empty()) return;
  Library& one = library(name);
  // "2.6" in prose, "2.6.0+cu126" further on: the same, said better.
  bool better = one.version.empty() || (found.starts_with(one.version) && found != one.version);
  if (!better) return;
  bool first = one.version.empty();
  one.version = found;
  one.location = line_source(paste_.machine, event.line);
  if (first) tell(name, found, event);
  auto parsed = PackageVersion::parse(found);
  std::string build = build_of_local_version(parsed->local());
  if (build.empty()) return;
  const std::string source = line_source(paste_.machine, event.line);
  one.build = Fact<std::string>::known(build, source);
  auto cuda = cuda_of_build(build);
  one.cuda = cuda ? Fact<DottedVersion>::known(*cuda, source) : Fact<DottedVersion>::absent(source);
}

void MachineFiller::set_package(const std::string& name, const std::string& version,
                                const LogEvent& event) {
  std::string normal = normalized_name(name);
  std::string found = version_in(version);
  if (found.empty() || packages_.find(normal) == nullptr) return;
  std::string pip_name = packages_.pip_name_of(normal);
  auto& all = environment().packages;
  bool there = std::any_of(all.begin(), all.end(), [&](const Package& one) {
    return one.name == pip_name && (one.version == found || one.manager == field(event, "manager"));
  });
  if (there) return;
  Package package;
  package.name = pip_name;
  package.version = found;
  package.manager = field(event, "manager");
  package.build = field(event, "build");
  package.channel = field(event, "channel");
  package.metadata = line_source(paste_.machine, event.line);
  auto at = std::find_if(all.begin(), all.end(),
                         [&](const Package& other) { return other.name > pip_name; });
  all.insert(at, std::move(package));
  if (packages_.is_library(pip_name)) set_library(pip_name, found, event);
}

void MachineFiller::set_torch_parts(const LogEvent& event) {
  for (const char* name : {"torch", "torchvision", "torchaudio"}) {
    if (auto version = field(event, name); !version.empty()) set_library(name, version, event);
  }
  if (auto cuda = field(event, "cuda_build"); !cuda.empty() && cuda_build_.empty()) {
    cuda_build_ = cuda;
    cuda_source_ = line_source(paste_.machine, event.line);
    tell("cuda_build", cuda, event);
  }
  if (auto archs = field(event, "archs"); !archs.empty() && archs_.empty()) {
    for (const char* mark : {"'", "\"", ",", "[", "]", "(", ")", "."})
      archs = replace_all(archs, mark, " ");
    archs_ = archs;
    archs_source_ = line_source(paste_.machine, event.line);
  }
  if (auto python = field(event, "python"); !python.empty()) {
    if (auto version = DottedVersion::parse(version_in(python)); version && version->size() >= 2) {
      if (set_first(environment().python, *version, line_source(paste_.machine, event.line))) {
        tell("python", version->text(), event);
      }
    }
  }
  if (auto name = field(event, "package"); !name.empty()) {
    set_package(name, field(event, "package_version"), event);
  }
}

void MachineFiller::set_driver(const LogEvent& event) {
  Driver& driver = paste_.machine.driver;
  const std::string source = line_source(paste_.machine, event.line);
  if (auto version = DottedVersion::parse(version_in(field(event, "driver")))) {
    if (set_first(driver.version, *version, source)) tell("driver", version->text(), event);
  }
  if (auto cuda = DottedVersion::parse(version_in(field(event, "driver_max_cuda")))) {
    if (set_first(driver.cuda_max, *cuda, source)) tell("driver_cuda", cuda->text(), event);
  }
  if (auto number = parse_int(field(event, "driver_cuda_number"))) {
    auto cuda = cuda_version_of_number(*number);
    if (cuda && set_first(driver.cuda_max, *cuda, source)) tell("driver_cuda", cuda->text(), event);
  }
  if (auto release = DottedVersion::parse(version_in(field(event, "toolkit")))) {
    if (!paste_.machine.toolkits.empty()) return;
    Toolkit toolkit;
    toolkit.version = Fact<DottedVersion>::known(*release, source);
    toolkit.on_path = true;
    paste_.machine.toolkits.push_back(std::move(toolkit));
    tell("toolkit", release->text(), event);
  }
}

void MachineFiller::set_system(const LogEvent& event) {
  System& system = paste_.machine.system;
  const std::string source = line_source(paste_.machine, event.line);
  auto text = [&](std::string_view name, Fact<std::string>& fact) {
    if (auto value = field(event, name); !value.empty()) set_first(fact, value, source);
  };
  text("os_name", system.os_name);
  text("kernel", system.kernel);
  text("jetpack", system.jetpack);
  text("l4t", system.l4t);
  text("container", system.container);
  if (auto os = lower(field(event, "os")); !os.empty()) {
    const bool windows = contains(os, "windows") || contains(os, ":\\") ||
                         contains(os, "winerror") || contains(os, ".dll");
    const char* name = windows                                            ? "windows"
                       : contains(os, "wsl") || contains(os, "microsoft") ? "wsl"
                       : contains(os, "mac") || contains(os, "darwin")    ? "macos"
                                                                          : "linux";
    set_first(system.os, std::string(name), source);
  }
  if (auto arch = lower(field(event, "cpu_arch")); !arch.empty()) {
    bool arm = arch == "aarch64" || arch == "arm64";
    set_first(system.cpu_arch, std::string(arm ? "aarch64" : "x86_64"), source);
  }
  if (auto glibc = DottedVersion::parse(field(event, "glibc"))) {
    if (set_first(system.glibc, *glibc, source)) tell("glibc", glibc->text(), event);
  }
}

void MachineFiller::fill(const LogEvent& event, bool listed) {
  if (event.fields.empty()) return;
  set_gpu(event, listed);
  set_torch_parts(event);
  set_driver(event);
  set_system(event);
}

// "found version 12040" is a driver of the 550 branch, the first with CUDA 12.4, or does what one
// does (a compat package on an older driver).
void MachineFiller::set_branch() {
  Driver& driver = paste_.machine.driver;
  if (!driver.version.is_unknown() || !driver.cuda_max.has()) return;
  const auto cuda = driver.cuda_max->first(2);
  const int least = first_branch_for(cuda, knowledge_);
  for (const auto& branch : knowledge_.driver_branches()) {
    if (branch.max_cuda != cuda || branch.branch < least) continue;
    const auto version = DottedVersion::parse(std::to_string(branch.branch));
    driver.version = Fact<DottedVersion>::known(*version, "table: CUDA " + cuda.text());
    return;
  }
}

void MachineFiller::finish() {
  set_branch();
  System& system = paste_.machine.system;
  if (system.l4t.has() || system.jetpack.has()) {
    if (system.os.is_unknown()) system.os = Fact<std::string>::known("linux", system.l4t.source());
    if (system.cpu_arch.is_unknown()) {
      system.cpu_arch = Fact<std::string>::known("aarch64", system.l4t.source());
    }
  }
  auto archs = parse_arch_list(archs_);
  if (!archs.empty()) {
    BinaryImages images;
    images.file = "libtorch_cuda.so";
    // What torch says of itself stands for the whole library.
    images.groups.push_back({".nv_fatbin", archs, 100,
                             100 * static_cast<std::int64_t>(archs.size()), std::int64_t{1} << 30,
                             false});
    library("torch").binaries.push_back(std::move(images));
  }
  if (cuda_build_.empty()) return;
  Library& torch = library("torch");
  if (!torch.cuda.is_unknown()) return;
  auto cuda = DottedVersion::parse(cuda_build_);
  if (cuda) {
    torch.cuda = Fact<DottedVersion>::known(cuda->first(2), cuda_source_);
    torch.build = Fact<std::string>::known(pip_build_of_cuda(*cuda), cuda_source_);
  } else if (is_none(cuda_build_)) {
    torch.cuda = Fact<DottedVersion>::absent(cuda_source_);
    torch.build = Fact<std::string>::known("cpu", cuda_source_);
  }
}

}  // namespace kernelfit
