// SPDX-License-Identifier: Apache-2.0
// What `docker save` writes: manifest.json, a list of images with the names of their layers; before
// Docker 1.10 only `repositories` and a chain of layers, each with the name of the one below.
#include <algorithm>
#include <set>

#include "archive/archive.h"
#include "base/text.h"
#include "oci/layouts.h"
#include "oci/paths.h"

namespace kernelfit {
namespace {

// "blobs/sha256/4f3c…": its name is its digest.
std::string digest_of_part(std::string_view part) {
  if (!part.starts_with("blobs/")) return {};
  std::string digest(part.substr(6));
  std::ranges::replace(digest, '/', ':');
  return is_digest(digest) ? digest : std::string();
}

std::string named(const Json& image, std::size_t images) {
  const auto tags = image.at("RepoTags").strings();
  if (!tags.empty()) return printable(tags.front());
  if (images == 1) return {};
  std::string id(image.at("Config").string());
  return printable(std::string(base_part(id)).substr(0, 12));
}

void add_layers(const Json& manifest, const Json& config, ContainerImage& image,
                ImageListing& out) {
  const auto& names = manifest.at("Layers").items();
  const auto& ids = config.at("rootfs").at("diff_ids").items();
  for (std::size_t i = 0; i < names.size() && i < kMaxLayers; ++i) {
    const std::string part = clean_path(names[i].string());
    if (!safe_member_name(names[i].string())) {
      out.problems.push_back("manifest.json has a layer whose name cannot be: '" +
                             printable(names[i].string()) + "'");
      continue;
    }
    std::string digest = digest_of_part(part);
    if (digest.empty() && ids.size() == names.size() && is_digest(ids[i].string())) {
      digest = ids[i].string();
    }
    image.layers.push_back({part, std::move(digest), std::nullopt});
  }
  if (names.size() > kMaxLayers) {
    out.problems.push_back("more than " + std::to_string(kMaxLayers) + " layers");
  }
}

}  // namespace

ImageListing read_docker_archive(const ImageFiles& files) {
  ImageListing out;
  const auto manifests = read_json(files, "manifest.json");
  if (!manifests) {
    out.problems.push_back(manifests.error().text());
    return out;
  }
  for (const Json& manifest : manifests->items()) {
    ContainerImage image;
    image.name = named(manifest, manifests->items().size());
    const auto config = read_json(files, clean_path(manifest.at("Config").string()));
    // Its layers are named without it; only the platform is not known then.
    if (!config) out.problems.push_back("configuration: " + config.error().text());
    if (config) image.platform = platform_text(*config);
    add_layers(manifest, config ? *config : Json(), image, out);
    out.images.push_back(std::move(image));
  }
  return out;
}

namespace {

// From the top layer down to the one that has no parent.
void follow_parents(const ImageFiles& files, std::string id, ContainerImage& image,
                    ImageListing& out) {
  std::set<std::string> seen;
  while (!id.empty() && image.layers.size() < kMaxLayers) {
    if (!seen.insert(id).second) {
      out.problems.push_back("layer " + id + " is its own parent");
      break;
    }
    const auto json = read_json(files, id + "/json");
    if (!json) out.problems.push_back(json.error().text());
    image.layers.push_back({id + "/layer.tar", {}, std::nullopt});
    if (!json) break;
    if (image.platform.empty()) image.platform = platform_text(*json);
    id = clean_path(json->at("parent").string());
  }
  std::ranges::reverse(image.layers);
}

}  // namespace

ImageListing read_repositories(const ImageFiles& files) {
  ImageListing out;
  const auto repositories = read_json(files, "repositories");
  if (!repositories) {
    out.problems.push_back(repositories.error().text());
    return out;
  }
  for (const auto& [repository, tags] : repositories->members()) {
    for (const auto& [tag, id] : tags.members()) {
      ContainerImage image;
      image.name = printable(repository + ":" + tag);
      follow_parents(files, clean_path(id.string()), image, out);
      out.images.push_back(std::move(image));
    }
  }
  return out;
}

}  // namespace kernelfit
