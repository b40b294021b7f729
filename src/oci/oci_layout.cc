// SPDX-License-Identifier: Apache-2.0
// index.json names manifests, or further indexes that do; each by the digest of its content.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "oci/layouts.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxDepth = 4, kMaxManifests = 1000;
constexpr std::size_t kShortDigest = 19;  // "sha256:" and twelve digits, as Docker shows them

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 140;
  return "'" + printable(text.substr(0, kMost)) + "'";
}

std::string blob_part(std::string_view digest) {
  const std::size_t colon = digest.find(':');
  return "blobs/" + std::string(digest.substr(0, colon)) + "/" +
         std::string(digest.substr(colon + 1));
}

// Signatures and provenance that builders put beside an image.
bool is_attestation(const Json& descriptor) {
  return descriptor.at("annotations").at("vnd.docker.reference.type").string() ==
             "attestation-manifest" ||
         descriptor.at("platform").at("os").string() == "unknown";
}

std::string name_of(const Json& descriptor) {
  const Json& annotations = descriptor.at("annotations");
  for (const char* key : {"io.containerd.image.name", "org.opencontainers.image.ref.name"}) {
    if (const auto name = annotations.at(key).string(); !name.empty()) return printable(name);
  }
  return {};
}

// One of the manifests among which a platform chooses.
struct Choice {
  std::string digest, platform;
};

class LayoutReader {
 public:
  explicit LayoutReader(const ImageFiles& files) : files_(files) {}

  ImageListing read() {
    auto index = read_json(files_, "index.json");
    if (!index) {
      out_.problems.push_back(index.error().text());
      return std::move(out_);
    }
    collect(*index, {}, {});
    if (choices_.empty() && out_.problems.empty()) {
      out_.problems.emplace_back("index.json names no image");
    }
    for (const auto& [name, choices] : choices_) choose(name, choices);
    return std::move(out_);
  }

 private:
  // `above`: the digests of the indexes around this one.
  void collect(const Json& index, const std::string& name, const std::vector<std::string>& above) {
    if (!index.at("manifests").is_array()) {
      const std::string where = above.empty() ? "index.json" : above.back();
      out_.problems.push_back(where + " has no list of manifests");
    }
    for (const Json& descriptor : index.at("manifests").items()) {
      if (++manifests_ > kMaxManifests) {
        out_.problems.push_back("more than " + std::to_string(kMaxManifests) + " manifests");
        return;
      }
      const std::string own = name_of(descriptor);
      if (!is_attestation(descriptor)) take(descriptor, own.empty() ? name : own, above);
    }
  }

  void take(const Json& descriptor, const std::string& name,
            const std::vector<std::string>& above) {
    const std::string digest(descriptor.at("digest").string());
    if (!is_digest(digest)) {
      out_.problems.push_back("the index has a digest that is none: " + quoted(digest));
      return;
    }
    if (!contains(descriptor.at("mediaType").string(), "index") &&
        !contains(descriptor.at("mediaType").string(), "manifest.list")) {
      choices_[name].push_back({digest, platform_text(descriptor.at("platform"))});
      return;
    }
    if (std::ranges::find(above, digest) != above.end()) {
      out_.problems.push_back("index " + digest + " names itself");
    } else if (above.size() == kMaxDepth) {
      out_.problems.emplace_back("indexes are nested too deeply");
    } else if (auto index = read_json(files_, blob_part(digest)); !index) {
      out_.problems.push_back(missing(digest, index.error()));
    } else {
      std::vector<std::string> path = above;
      path.push_back(digest);
      collect(*index, name, path);
    }
  }

  static std::string missing(const std::string& digest, const Error& error) {
    if (error.kind == ErrorKind::not_found) return "blob " + digest + " is not in the image";
    return error.text();
  }

  // Of a tar that was saved for one platform, the index may still name all of them.
  void choose(const std::string& name, std::vector<Choice> choices) {
    for (Choice& choice : choices) {
      if (choice.platform.empty()) choice.platform = platform_of(choice.digest);
    }
    const auto rank = [&](const Choice& choice) {
      return std::pair(!files_.has(blob_part(choice.digest)), platform_rank(choice.platform));
    };
    std::ranges::stable_sort(choices, {}, rank);
    const std::string platform = choices.front().platform;
    std::vector<std::string> others, chosen;
    for (const Choice& choice : choices) {
      std::vector<std::string>& list = choice.platform == platform ? chosen : others;
      const std::string& what = choice.platform == platform ? choice.digest : choice.platform;
      if (!what.empty() && std::ranges::find(list, what) == list.end()) list.push_back(what);
    }
    for (const auto& digest : chosen) {
      auto image = read_manifest(digest);
      if (!image) continue;
      image->name = name.empty() && chosen.size() > 1 ? digest.substr(0, kShortDigest) : name;
      image->platform = platform;
      image->other_platforms = others;
      out_.images.push_back(std::move(*image));
    }
  }

  std::string platform_of(const std::string& manifest) const {
    const auto json = read_json(files_, blob_part(manifest));
    if (!json) return {};
    const std::string config(json->at("config").at("digest").string());
    if (!is_digest(config)) return {};
    const auto about = read_json(files_, blob_part(config));
    return about ? platform_text(*about) : std::string();
  }

  std::optional<ContainerImage> read_manifest(const std::string& digest) {
    const auto json = read_json(files_, blob_part(digest));
    if (!json) {
      out_.problems.push_back(missing(digest, json.error()));
      return std::nullopt;
    }
    if (!json->at("layers").is_array() || json->at("layers").items().size() > kMaxLayers) {
      out_.problems.push_back("manifest " + digest + " has no list of layers, or too many");
      return std::nullopt;
    }
    ContainerImage image;
    for (const Json& layer : json->at("layers").items()) add_layer(layer, image);
    return image;
  }

  void add_layer(const Json& json, ContainerImage& image) {
    ImageLayer layer;
    layer.digest = json.at("digest").string();
    if (!is_digest(layer.digest)) {
      out_.problems.push_back("a layer has a digest that is none: " + quoted(layer.digest));
      return;
    }
    layer.part = blob_part(layer.digest);
    if (const Json& size = json.at("size"); size.is_integer() && size.integer() >= 0) {
      layer.size_bytes = static_cast<std::uint64_t>(size.integer());
    }
    image.layers.push_back(std::move(layer));
  }

  const ImageFiles& files_;
  ImageListing out_;
  std::map<std::string, std::vector<Choice>> choices_;  // by the image's name
  std::size_t manifests_ = 0;
};

}  // namespace

std::string platform_text(const Json& json) {
  const auto os = json.at("os").string(), cpu = json.at("architecture").string(),
             variant = json.at("variant").string();
  if (os.empty() || cpu.empty()) return {};
  std::string out = std::string(os) + "/" + std::string(cpu);
  // arm64 has one variant, which nobody says.
  if (!variant.empty() && cpu != "arm64") out += "/" + std::string(variant);
  return printable(out);
}

ImageListing read_oci_layout(const ImageFiles& files) {
  return LayoutReader(files).read();
}

}  // namespace kernelfit
