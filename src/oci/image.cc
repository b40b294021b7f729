// SPDX-License-Identifier: Apache-2.0
#include "oci/image.h"

#include <algorithm>

#include "base/text.h"
#include "oci/layouts.h"

namespace kernelfit {
namespace {

bool is_docker_manifest(const Json& json) {
  if (!json.is_array() || json.items().empty()) return false;
  const Json& first = json.items().front();
  return first.at("Layers").is_array() && first.at("Config").is_string();
}

}  // namespace

bool is_digest(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view algorithm = text.substr(0, colon);
  const std::size_t digits = algorithm == "sha256" ? 64 : algorithm == "sha512" ? 128 : 0;
  if (colon == std::string_view::npos || digits == 0) return false;
  const std::string_view hex = text.substr(colon + 1);
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return hex.size() == digits && std::ranges::all_of(hex, is_hex);
}

int platform_rank(std::string_view platform) {
  if (platform == "linux/amd64") return 0;
  if (platform.starts_with("linux/amd64/")) return 1;
  if (platform.starts_with("linux/arm64")) return 2;
  if (platform.empty()) return 3;
  return platform.starts_with("linux/") ? 4 : 5;
}

bool is_image(const ImageFiles& files) {
  if (files.has("oci-layout") && files.has("index.json")) return true;
  if (files.has("manifest.json")) {
    const auto json = read_json(files, "manifest.json");
    return json ? is_docker_manifest(*json) : files.has("repositories") || files.has("blobs");
  }
  if (!files.has("repositories")) return false;
  const auto json = read_json(files, "repositories");
  return json && json->is_object();
}

ImageListing read_images(const ImageFiles& files) {
  if (files.has("index.json") && files.has("oci-layout")) {
    ImageListing listing = read_oci_layout(files);
    // Docker writes both; where one is broken the other may do.
    if (!listing.images.empty() || !files.has("manifest.json")) return listing;
  }
  return files.has("manifest.json") ? read_docker_archive(files) : read_repositories(files);
}

}  // namespace kernelfit
