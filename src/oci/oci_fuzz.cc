// SPDX-License-Identifier: Apache-2.0
// A tar as an image: its documents, and every layer's names over those below.
#include <cstdlib>

#include "archive/archive.h"
#include "oci/image.h"
#include "oci/overlay.h"
#include "oci/paths.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  const auto tar = std::make_shared<BufferAccess>(std::as_bytes(std::span(data, size)));
  AccessStream stream(*tar);
  const TarFiles files(list_tar_parts(stream, 16, size % 2 == 0), tar);
  if (!is_image(files)) return 0;
  for (const ContainerImage& image : read_images(files).images) {
    Overlay overlay;
    for (const ImageLayer& layer : image.layers) {
      std::uint64_t number = 0;
      if (const auto file = files.open(layer.part)) {
        AccessStream members(**file);
        (void)walk_tar(members, [&](const ArchiveMember& member, ByteStream&) {
          overlay.add({member.name, member.type, member.link_target, number++, true});
          return true;
        });
      }
      overlay.end_layer();
    }
    for (const auto& [path, content] : overlay.files()) {
      if (path != clean_path(path) || content.layer >= image.layers.size()) std::abort();
    }
  }
  return 0;
}
