// SPDX-License-Identifier: Apache-2.0
#include "plan/wheel_file.h"

#include <algorithm>

#include "base/text.h"
#include "solve/python_fit.h"

namespace kernelfit::planning {
namespace {

// torchvision was pure Python before.
constexpr std::string_view kFirstTorchvisionForOneCuda = "0.3.0";

// ".../whl/cu100/torch_stable.html" and ".../whl/torch_stable.html" -> ".../whl/cu100/"
std::string folder_of(const InstallCommand& row) {
  const std::string page(row.index_url.substr(0, row.index_url.rfind('/') + 1));
  const std::string own = std::string(row.build) + "/";
  return page.ends_with("/" + own) ? page : page + own;
}

// The index's file is linux_x86_64, PyPI's manylinux1_x86_64.
std::string tag_of(const std::vector<std::string>& tags) {
  const auto index = std::find_if(
      tags.begin(), tags.end(), [](const std::string& tag) { return !contains(tag, "manylinux"); });
  return index == tags.end() ? std::string() : *index;
}

bool same_public(std::string_view installed, std::string_view wanted) {
  const auto a = PackageVersion::parse(installed), b = PackageVersion::parse(wanted);
  return a && b && a->public_text() == b->public_text();
}

// The page holds the same version with a tag as well: pip takes 1.3.1+cu92 for ==1.3.1.
bool has_tagged_beside(const InstallCommand& row, const Knowledge& knowledge) {
  const auto& rows = knowledge.install_commands();
  return std::any_of(rows.begin(), rows.end(), [&](const InstallCommand& other) {
    return other.manager == row.manager && other.platform == row.platform &&
           other.index_url == row.index_url &&
           other.torch_spec.starts_with(std::string(row.torch_spec) + "+");
  });
}

}  // namespace

bool is_ambiguous(const InstallCommand& row, const TorchBuild& build, const Knowledge& knowledge) {
  if (contains(row.torch_spec, "+") || row.index_flag != "-f" || row.official == "third-party")
    return false;
  if (has_tagged_beside(row, knowledge)) return true;
  return std::any_of(knowledge.torch_builds().begin(), knowledge.torch_builds().end(),
                     [&](const TorchBuild& other) {
                       return other.pypi_default == "yes" && other.platform == build.platform &&
                              other.version == build.version && other.build != build.build;
                     });
}

std::string wheel_url(std::string_view package, std::string_view version, const InstallCommand& row,
                      const TorchBuild& build, const DottedVersion& python,
                      const Knowledge& knowledge) {
  const auto parsed = PackageVersion::parse(version);
  if (package == "torchvision" &&
      (!parsed || *parsed < *PackageVersion::parse(kFirstTorchvisionForOneCuda)))
    return {};
  const std::string tag = tag_of(solving::wheel_tags(build, python, false, knowledge));
  if (tag.empty()) return {};
  return folder_of(row) + std::string(package) + "-" + std::string(version) + "-" + tag + ".whl";
}

std::vector<std::string> to_uninstall(const solving::Specs& specs, const TorchBuild& build,
                                      const Request& request) {
  std::vector<std::string> out;
  const bool third_party = build.channel.starts_with("third-party");
  if (contains(specs.torch, "+") && !third_party) return out;
  for (const auto& [name, version] : {std::pair(std::string("torch"), specs.torch),
                                      {"torchvision", specs.torchvision},
                                      {"torchaudio", specs.torchaudio}}) {
    for (const Installed& installed : request.installed) {
      if (installed.name == name &&
          (third_party ? installed.version == version : same_public(installed.version, version)))
        out.push_back(name);
    }
  }
  return out;
}

}  // namespace kernelfit::planning
