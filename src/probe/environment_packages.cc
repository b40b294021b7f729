// SPDX-License-Identifier: Apache-2.0
// The installed distributions of an environment: dist-info and egg-info of its site folders, and
// conda-meta. A broken one is a line in the problems, and its folder's name still counts.
#include <algorithm>

#include "base/text.h"
#include "probe/environments.h"
#include "pyenv/conda.h"
#include "pyenv/metadata.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxMetadata = std::size_t{256}
                                     << 10;  // the header; a description may follow
constexpr std::size_t kMaxSmall = 4096;
constexpr std::size_t kMaxPackages = 2000;

// "…/torch-2.1.0.dist-info/METADATA: there is no Version"
void add_problem(Environment& environment, const std::string& file, const Error& error) {
  const std::string text = error.text();
  environment.problems.push_back(text.starts_with(file) ? text : file + ": " + text);
}

std::string metadata_file(const Host& host, const std::string& folder, const DistFolder& dist) {
  if (!dist.is_egg) return join_path(folder, "METADATA");
  return host.is_dir(folder) ? join_path(folder, "PKG-INFO") : folder;
}

std::string manager_of(const Host& host, const std::string& folder, const Site& site,
                       const DistFolder& dist) {
  if (!dist.is_egg) {
    auto text = read_head(host, join_path(folder, "INSTALLER"), kMaxSmall);
    if (text) return parse_installer(*text);
  }
  return site.path == "/usr/lib/python3/dist-packages" ? "apt" : "";
}

// `name` is that of a .dist-info or .egg-info, `folder` where its files are.
void read_dist(const Host& host, const GpuPackages& known, const Site& site, std::string_view name,
               const std::string& folder, Environment& environment) {
  const auto dist = parse_dist_folder(name);
  if (!dist || known.find(normalized_name(dist->name)) == nullptr) return;
  Package package;
  package.metadata = metadata_file(host, folder, *dist);
  package.name = normalized_name(dist->name);
  package.version = dist->version;
  package.location = site.path;
  package.user_site = site.user_site;
  auto text = read_head(host, package.metadata, kMaxMetadata);
  auto metadata = text ? parse_metadata(*text) : Result<Metadata>(tl::unexpected(text.error()));
  if (metadata) {
    package.name = normalized_name(metadata->name);
    package.version = metadata->version;
  } else {
    add_problem(environment, package.metadata, metadata.error());
  }
  package.name = known.pip_name_of(package.name);
  package.manager = manager_of(host, folder, site, *dist);
  environment.packages.push_back(std::move(package));
}

// Name, version and build stand in the file's name; only the channel needs its text.
void read_conda_package(const Host& host, const GpuPackages& known, const std::string& file,
                        const CondaFileName& name, Environment& environment) {
  Package package;
  package.name = known.pip_name_of(normalized_name(name.name));
  package.version = name.version;
  package.build = name.build;
  package.manager = "conda";
  package.location = environment.path;
  package.metadata = file;
  auto text = read_head(host, file, kMaxMetadata);
  if (!text) {
    add_problem(environment, file, text.error());
  } else if (auto channel = parse_conda_channel(*text)) {
    package.channel = *channel;
  } else {
    add_problem(environment, file, channel.error());
  }
  environment.packages.push_back(std::move(package));
}

void read_conda_packages(const Host& host, const GpuPackages& known, Environment& environment) {
  const std::string folder = join_path(environment.path, "conda-meta");
  auto entries = host.list_dir(folder);
  if (!entries) {
    if (entries.error().kind != ErrorKind::not_found) {
      add_problem(environment, folder, entries.error());
    }
    return;
  }
  for (const auto& entry : *entries) {
    const auto name = parse_conda_file_name(entry.name);
    if (!name || known.find(normalized_name(name->name)) == nullptr) continue;
    if (environment.packages.size() >= kMaxPackages) return;
    read_conda_package(host, known, join_path(folder, entry.name), *name, environment);
  }
}

std::string public_version(const std::string& version) {
  return version.substr(0, version.find('+'));
}

// A conda package brings a dist-info or egg-info of its own: the same thing, said twice. One that
// pip or uv wrote is a second install over conda's files, and both are kept.
void drop_conda_echoes(Environment& environment) {
  std::vector<Package>& packages = environment.packages;
  auto is_echo = [&](const Package& dist) {
    const bool of_conda = dist.manager == "conda" || dist.manager.empty();
    return of_conda && !dist.user_site && std::ranges::any_of(packages, [&](const Package& other) {
             return &other != &dist && !other.build.empty() && other.name == dist.name &&
                    public_version(other.version) == public_version(dist.version);
           });
  };
  std::vector<Package> kept;
  for (const auto& package : packages) {
    if (!package.build.empty() || !is_echo(package)) kept.push_back(package);
  }
  packages = std::move(kept);
}

}  // namespace

void read_packages(const Host& host, const GpuPackages& known, const std::vector<Site>& sites,
                   Environment& environment) {
  for (const auto& site : sites) {
    for (const auto& entry : site.entries) {
      if (environment.packages.size() >= kMaxPackages) break;
      read_dist(host, known, site, entry.name, join_path(site.path, entry.name), environment);
    }
    // …/site-packages/torch_scatter-2.0.9-py3.8-linux-x86_64.egg is a site with one package in it.
    if (site.path.ends_with(".egg") && site.entry("EGG-INFO") != nullptr) {
      read_dist(host, known, site, std::string(base_name(site.path)) + "-info",
                join_path(site.path, "EGG-INFO"), environment);
    }
  }
  if (environment.kind == "conda") {
    read_conda_packages(host, known, environment);
    drop_conda_echoes(environment);
  }
  // By name; of one name the first is the one that is imported.
  std::ranges::stable_sort(environment.packages, {}, &Package::name);
}

}  // namespace kernelfit
