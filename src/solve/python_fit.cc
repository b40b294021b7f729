// SPDX-License-Identifier: Apache-2.0
#include "solve/python_fit.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit::solving {
namespace {

constexpr int kMonthsThatPackagesLag = 30;

// "2026-11-30" -> months since year 0.
int months_of(std::string_view date) {
  const auto parts = split(date, '-');
  if (parts.size() < 2) return 0;
  return static_cast<int>(parse_int(parts[0]).value_or(0) * 12 + parse_int(parts[1]).value_or(0));
}

std::vector<DottedVersion> pythons_of(const TorchBuild& build) {
  std::vector<DottedVersion> out;
  for (const std::string_view word : split_words(build.python)) {
    if (auto version = DottedVersion::parse(word)) out.push_back(*std::move(version));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// "linux_x86_64 (download index); manylinux1_x86_64 (PyPI)" -> both names. The index's wheel is
// the one that commands with an index install; PyPI's is the default build.
std::vector<std::string_view> platform_tags(std::string_view cell) {
  std::vector<std::string_view> out;
  for (const std::string_view part : split(cell, ';')) {
    const auto words = split_words(part);
    if (!words.empty()) out.push_back(words.front());
  }
  return out;
}

std::string python_tag(const DottedVersion& python) {
  return "cp" + std::to_string(python.major()) + std::to_string(python.minor());
}

// 3.7 and older carry an m in their ABI tag, 2.7 has two ABIs; 3.8 dropped it.
std::vector<std::string> abi_tags(const DottedVersion& python, bool free_threaded) {
  const std::string tag = python_tag(python);
  if (free_threaded) return {tag + "t"};
  if (python.major() == 2) return {tag + "m", tag + "mu"};
  if (python < dotted("3.8")) return {tag + "m"};
  return {tag};
}

std::string_view cpu_of(std::string_view platform) {
  return platform.substr(platform.find('-') + 1);
}

std::vector<std::string> derived_platform_tags(const TorchBuild& build) {
  const std::string cpu(cpu_of(build.platform));
  if (build.platform.starts_with("windows")) return {cpu == "x86_64" ? "win_amd64" : "win_" + cpu};
  if (build.glibc_min == "2.28") return {"manylinux_2_28_" + cpu};
  return {"linux_" + cpu};
}

// The index still has cp27 files of 1.5.0, but nothing beside them: torchvision 0.6.0 has none.
bool dropped(const TorchRelease* release, const DottedVersion& python) {
  const auto oldest = release == nullptr ? std::nullopt : DottedVersion::parse(release->python_min);
  return oldest && python < *oldest;
}

}  // namespace

const TorchRelease* release_of(const PackageVersion& version, const Knowledge& knowledge) {
  for (const TorchRelease& release : knowledge.torch_releases()) {
    if (release.version == version) return &release;
  }
  return nullptr;
}

bool serves_python(const TorchBuild& build, const DottedVersion& python, bool free_threaded,
                   const Knowledge& knowledge) {
  const std::string name = std::to_string(python.major()) + "." + std::to_string(python.minor());
  if (!contains_word(build.python, name)) return false;
  const TorchRelease* release = release_of(build.version, knowledge);
  if (dropped(release, python)) return false;
  if (!free_threaded) return true;
  if (build.channel != "pip" || release == nullptr) return false;
  const auto experimental = split(release->python_experimental, ';');
  return std::find(experimental.begin(), experimental.end(), name + "t") != experimental.end();
}

bool any_serves_python(const TorchBuild& build, const DottedVersion& python, bool free_threaded,
                       const Knowledge& knowledge) {
  const auto& all = knowledge.torch_builds();
  return std::any_of(all.begin(), all.end(), [&](const TorchBuild& row) {
    return row.version == build.version && row.platform == build.platform &&
           row.build == build.build && serves_python(row, python, free_threaded, knowledge);
  });
}

bool is_experimental(const TorchBuild& build, const DottedVersion& python,
                     const Knowledge& knowledge) {
  const TorchRelease* release = release_of(build.version, knowledge);
  if (release == nullptr || build.channel != "pip") return false;
  const auto words = split(release->python_experimental, ';');
  return std::find(words.begin(), words.end(), python.text()) != words.end();
}

DottedVersion common_python(const Knowledge& knowledge) {
  const int oldest = months_of(knowledge.date()) - kMonthsThatPackagesLag;
  std::vector<DottedVersion> common;
  bool first = true;
  for (const TorchBuild& build : knowledge.torch_builds()) {
    if (build.channel != "pip" || build.platform != "linux-x86_64" || build.pypi_default != "yes")
      continue;
    const TorchRelease* release = release_of(build.version, knowledge);
    if (release == nullptr || months_of(release->date) < oldest) continue;
    std::vector<DottedVersion> here = pythons_of(build), both;
    std::set_intersection(common.begin(), common.end(), here.begin(), here.end(),
                          std::back_inserter(both));
    common = first ? std::move(here) : std::move(both);
    first = false;
  }
  return common.empty() ? DottedVersion() : common.back();
}

DottedVersion best_python(const TorchBuild& build, const Knowledge& knowledge) {
  const std::vector<DottedVersion> pythons = pythons_of(build);
  if (pythons.empty()) return {};
  const DottedVersion common = common_python(knowledge);
  DottedVersion best = pythons.front();  // the oldest, where all are newer than the common one
  for (const DottedVersion& python : pythons) {
    if (python <= common) best = python;
  }
  return best;
}

std::vector<std::string> wheel_tags(const TorchBuild& build, const DottedVersion& python,
                                    bool free_threaded, const Knowledge& knowledge) {
  if (build.channel.starts_with("conda") || python.empty()) return {};
  const std::string name = std::to_string(python.major()) + "." + std::to_string(python.minor());
  std::vector<std::string> platforms;
  for (const PythonTorch& row : knowledge.python_torch()) {
    if (build.channel != "pip" || row.python != name || row.platform != build.platform ||
        row.torch != build.version.text() || !contains_word(row.builds, build.build))
      continue;
    for (const std::string_view tag : platform_tags(row.platform_tag)) platforms.emplace_back(tag);
    break;
  }
  // The row speaks for all builds of a release; a build that asks for glibc 2.28 says so itself
  // (2.6.0+cu126 is manylinux_2_28 while the rest of 2.6.0 is not).
  if (platforms.empty() || build.glibc_min == "2.28") platforms = derived_platform_tags(build);
  std::vector<std::string> out;
  for (const std::string& abi : abi_tags(python, free_threaded)) {
    for (const std::string& platform : platforms)
      out.push_back(python_tag(python) + "-" + abi + "-" + platform);
  }
  return out;
}

}  // namespace kernelfit::solving
