// SPDX-License-Identifier: Apache-2.0
// Which layers make up a container image: OCI image layouts (index.json, image-spec 1.1), what
// `docker save` and `podman save` write (manifest.json), and Docker's layout before 1.10
// (repositories). Every name and number of them is checked.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oci/image_files.h"

namespace kernelfit {

struct ImageLayer {
  std::string part;    // its name in the layout
  std::string digest;  // "sha256:…" of the part; of what is in it where no other is told; or empty
  std::optional<std::uint64_t> size_bytes;  // as the manifest says
};

struct ContainerImage {
  std::string name;      // "docker.io/library/app:1"; empty where it has none
  std::string platform;  // "linux/amd64", "linux/arm/v7"; empty where nothing tells
  std::vector<std::string> other_platforms;  // that it is made for too, and that were not chosen
  std::vector<ImageLayer> layers;            // the lowest first
};

struct ImageListing {
  std::vector<ContainerImage> images;
  std::vector<std::string> problems;
};

// False for a tar or a folder that only has names as images have them.
bool is_image(const ImageFiles& files);
// Of an image for several platforms, linux/amd64 where it is there, else the next best.
ImageListing read_images(const ImageFiles& files);

// "linux/amd64" comes first, other Linuxes next; smaller is better.
int platform_rank(std::string_view platform);
// "sha256:" and 64 hexadecimal digits, "sha512:" and 128.
bool is_digest(std::string_view text);

}  // namespace kernelfit
