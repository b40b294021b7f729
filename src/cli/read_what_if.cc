// SPDX-License-Identifier: Apache-2.0
// The what-if flags, read. Every wrong value is a usage error that says what would be right.
#include <algorithm>
#include <set>

#include "cli/paths.h"
#include "cli/probe_tables.h"
#include "cli/what_if.h"
#include "judge/card.h"
#include "judge/judge.h"
#include "judge/scan_verdicts.h"
#include "pyenv/names.h"
#include "pyenv/version_py.h"
#include "solve/jetson.h"

namespace kernelfit::cli {
namespace {

using Problem = std::optional<Said>;

Problem read_version(const Args& args, std::string_view flag, const char* example,
                     std::optional<DottedVersion>& into) {
  if (!args.has(flag)) return {};
  const std::string text = args.value(flag);
  into = DottedVersion::parse(text);
  if (into) return {};
  return Said{"cli.error.version",
              {{"flag", "--" + std::string(flag)}, {"value", text}, {"example", example}}};
}

Problem read_driver(const Args& args, WhatIf& out) {
  if (!args.has("driver")) return {};
  const std::string text = args.value("driver");
  const auto driver = driver_from_text(text);
  if (!driver) return Said{"cli.error.driver", {{"value", text}}};
  out.no_driver = driver->is_absent();
  if (driver->has()) out.driver = driver->value();
  return {};
}

// "3.12", "3.12.4" and "3.13t", the free-threaded build.
Problem read_python(const Args& args, WhatIf& out) {
  if (!args.has("python")) return {};
  std::string text = args.value("python");
  out.free_threaded = text.ends_with('t');
  out.python = DottedVersion::parse(
      std::string_view(text).substr(0, text.size() - (out.free_threaded ? 1 : 0)));
  if (out.python && out.python->size() >= 2) return {};
  return Said{"cli.error.python", {{"value", text}}};
}

// The same card twice has the same answer: it is asked for once, however often it was named.
Problem read_gpus(const Args& args, const Knowledge& knowledge, WhatIf& out) {
  std::set<std::string, std::less<>> seen;
  for (const auto& text : args.values("gpu")) {
    if (!seen.insert(lower(text)).second) continue;
    auto gpu = gpu_from_text(text, knowledge);
    if (!gpu) return Said{"cli.error.gpu", {{"value", text}, {"problem", gpu.error().text()}}};
    gpu->index = static_cast<int>(out.gpus.size());
    gpu->given = true;
    out.gpus.push_back(std::move(*gpu));
  }
  return {};
}

// What the local version says: "+cu126", "+cpu"; without one only a table can tell.
void set_build(Library& library) {
  auto version = PackageVersion::parse(library.version);
  std::string build = version ? build_of_local_version(version->local()) : std::string();
  if (build.empty()) return;
  library.build = Fact<std::string>::given(build);
  auto cuda = cuda_of_build(build);
  library.cuda = cuda ? Fact<DottedVersion>::given(*cuda) : Fact<DottedVersion>::absent("given");
}

const Library* of_name(const std::vector<Library>& all, std::string_view name) {
  auto it = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return it == all.end() ? nullptr : &*it;
}

Problem read_installed(const Args& args, const Knowledge& knowledge, WhatIf& out) {
  if (!args.has("installed")) return {};
  const GpuPackages packages = gpu_packages(knowledge);
  for (const auto& text : args.values("installed")) {
    auto at = text.find("==");
    std::string_view name = trim(std::string_view(text).substr(0, at));
    std::string_view version =
        at == std::string::npos ? "" : trim(std::string_view(text).substr(at + 2));
    if (name.empty() || version.empty() || !PackageVersion::parse(version)) {
      return Said{"cli.error.installed", {{"value", text}}};
    }
    Library library;
    library.name = packages.pip_name_of(normalized_name(name));
    library.version = version;
    if (const Library* other = of_name(out.installed, library.name)) {
      if (other->version == library.version) continue;
      return Said{
          "cli.error.installed-twice",
          {{"package", library.name}, {"first", other->version}, {"second", library.version}}};
    }
    set_build(library);
    out.installed.push_back(std::move(library));
  }
  return {};
}

// ------------------------------------------------------------- JetPack

// How near a row of torch/jetson.csv is: the same JetPack, its line ("6.x"), an older or a newer
// one of the same major.
int nearness(std::string_view row, const DottedVersion& jetpack) {
  if (row.ends_with(".x")) {
    auto line = DottedVersion::parse(row.substr(0, row.size() - 2));
    return line && jetpack.first(line->size()) == *line ? 2 + static_cast<int>(line->size()) : 0;
  }
  auto version = DottedVersion::parse(row);
  if (!version || version->major() != jetpack.major()) return 0;
  if (*version == jetpack) return 6;
  return version->first(2) == jetpack.first(2) ? 5 : (*version < jetpack ? 2 : 1);
}

const JetsonTorch* nearest_row(const DottedVersion& jetpack, const Knowledge& knowledge) {
  const JetsonTorch* best = nullptr;
  int best_nearness = 0;
  for (const auto& row : knowledge.jetson_torch()) {
    int near = nearness(row.jetpack, jetpack);
    if (near > best_nearness) best = &row, best_nearness = near;
  }
  return best;
}

Problem read_jetpack(const Args& args, const Knowledge& knowledge, WhatIf& out) {
  if (!args.has("jetpack")) return {};
  out.jetpack = args.value("jetpack");
  auto version = DottedVersion::parse(out.jetpack);
  const auto known = solving::known_jetpacks(knowledge);
  if (version && std::find(known.begin(), known.end(), version->text()) == known.end()) {
    return Said{"cli.error.jetpack-unknown",
                {{"value", out.jetpack}, {"known", join(known, ", ")}}};
  }
  const JetsonTorch* row = version ? nearest_row(*version, knowledge) : nullptr;
  if (row == nullptr) return Said{"cli.error.jetpack", {{"value", out.jetpack}}};
  std::string_view l4t = split(row->l4t, '/').back();  // "R36.4", "R34/R35"
  if (l4t.starts_with('R')) l4t.remove_prefix(1);
  out.l4t = l4t;
  auto cuda = DottedVersion::parse(row->cuda);
  out.jetpack_cuda = cuda ? *cuda : jetson_cuda(row->l4t, knowledge);
  if (!out.gpus.empty()) return {};
  if (contains(row->capability, ";")) {
    out.jetpack_boards = replace_all(std::string(row->capability), ";", ", ");
    return {};
  }
  if (auto gpu = gpu_from_text(row->capability, knowledge)) out.gpus.push_back(*gpu);
  return {};
}

// ------------------------------------------------- flags against each other

Problem contradict(const std::string& first, const std::string& second) {
  return Said{"cli.error.contradict", {{"first", first}, {"second", second}}};
}

// A JetPack is Linux on a Tegra board; glibc is a Linux library.
Problem contradiction(const Args& args, const WhatIf& what_if, const Knowledge& knowledge) {
  const std::string os = "--os " + what_if.os, cpu = "--cpu-arch " + what_if.cpu_arch;
  if (what_if.os == "windows" && args.has("glibc")) return contradict(os, "--glibc");
  if (!args.has("jetpack")) return {};
  const std::string jetpack = "--jetpack " + what_if.jetpack;
  if (!what_if.os.empty() && what_if.os != "linux") return contradict(jetpack, os);
  if (what_if.cpu_arch == "x86_64") return contradict(jetpack, cpu);
  for (const auto& text : args.values("gpu")) {
    auto gpu = gpu_from_text(text, knowledge);
    if (gpu && !identify(*gpu, knowledge).tegra) {
      return contradict(jetpack, "--gpu " + shell_quote(text));
    }
  }
  return {};
}

// -------------------------------------------------------------- the CPU

// Tegra, Grace and GB10 chips carry their Arm CPU: GH200, GB200, GB300 by name (NVIDIA's own
// naming: G for Grace before the GPU's letter), GB10 by its form in the table.
bool is_arm_machine(const Gpu& gpu, const Knowledge& knowledge) {
  const Card card = identify(gpu, knowledge);
  if (card.tegra || card.form == "superchip") return true;
  const std::string_view label = card.label;
  if (label.starts_with("GH200") || label.starts_with("GB200") || label.starts_with("GB300"))
    return true;
  // A bare capability: where every product that has it is such a chip (12.1).
  if (!card.capability.has() || !card.form.empty()) return false;
  bool any = false;
  for (const auto& product : knowledge.products()) {
    if (product.capability != *card.capability) continue;
    if (product.form != "superchip") return false;
    any = true;
  }
  return any;
}

void set_cpu(const Knowledge& knowledge, WhatIf& out) {
  if ((!out.cpu_arch.empty() && out.cpu_arch != "x86_64") || !out.jetpack.empty()) return;
  for (const auto& gpu : out.gpus) {
    if (!is_arm_machine(gpu, knowledge)) continue;
    if (out.cpu_arch.empty()) out.cpu_arch = "aarch64";
    out.arm_card = identify(gpu, knowledge).label;
    return;
  }
}

}  // namespace

ReadWhatIf read_what_if(const Args& args, const Host& host, const Knowledge& knowledge) {
  ReadWhatIf out;
  WhatIf& what_if = out.what_if;
  what_if.os = args.value("os");
  what_if.cpu_arch = args.value("cpu-arch");
  what_if.use_cache = !args.has("no-cache");
  for (const auto& path : args.values("env")) {
    std::string whole = absolute_path(path, host);
    while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
    if (whole.ends_with("/.")) whole.resize(whole.size() - 2);
    what_if.environments.push_back(std::move(whole));
  }
  for (const auto& problem :
       {read_gpus(args, knowledge, what_if), read_driver(args, what_if), read_python(args, what_if),
        read_version(args, "glibc", "2.28", what_if.glibc),
        read_version(args, "cuda", "12.4", what_if.cuda), read_installed(args, knowledge, what_if),
        read_jetpack(args, knowledge, what_if), contradiction(args, what_if, knowledge)}) {
    if (problem && !out.problem) out.problem = problem;
  }
  set_cpu(knowledge, what_if);
  return out;
}

}  // namespace kernelfit::cli
