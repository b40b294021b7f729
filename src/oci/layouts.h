// SPDX-License-Identifier: Apache-2.0
// The three layouts in which images are kept. Private to the room.
#pragma once
#include "oci/image.h"

namespace kernelfit {

ImageListing read_oci_layout(const ImageFiles& files);      // index.json
ImageListing read_docker_archive(const ImageFiles& files);  // manifest.json
ImageListing read_repositories(const ImageFiles& files);    // repositories, <id>/json

// "linux/arm/v7" of an object with os, architecture, variant; empty where it has none.
std::string platform_text(const Json& json);

constexpr std::size_t kMaxLayers = 1000;  // Docker's own limit is 127

}  // namespace kernelfit
