// SPDX-License-Identifier: Apache-2.0
#include "oci/image_files.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "archive/archive.h"
#include "base/owned_access.h"
#include "oci/paths.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxDocument = std::size_t{4} << 20;
constexpr std::size_t kMaxParts = 20'000;
constexpr int kMaxLinks = 8;
constexpr std::size_t kMaxKept = 2 * kMaxDocument;

bool is_id(std::string_view name) {
  return name.size() >= 64 &&
         std::ranges::all_of(name.substr(0, 64), [](unsigned char c) { return std::isxdigit(c); });
}

// "index.json", "blobs/…", "4f3c…/layer.tar", "4f3c….tar".
bool is_image_name(std::string_view name) {
  for (std::string_view known : {"oci-layout", "repositories", "blobs"}) {
    if (name == known) return true;
  }
  const bool top = name.find('/') == std::string_view::npos;
  if (top && (name.ends_with(".json") || name.ends_with(".tar"))) return true;
  return name.starts_with("blobs/") || name.ends_with("/layer.tar") || is_id(name);
}

// A JSON text; empty for anything else.
std::string document(ByteStream& content) {
  std::byte first[1];
  const auto got = content.read(first);
  if (!got || *got == 0 || (first[0] != std::byte{'{'} && first[0] != std::byte{'['})) return {};
  const auto rest = read_all(content, kMaxDocument);
  return rest ? static_cast<char>(first[0]) + std::string(as_text(*rest)) : std::string();
}

}  // namespace

Result<std::string> read_document(const ImageFiles& files, std::string_view part) {
  KF_TRY(const auto file, files.open(part));
  AccessStream stream(*file);
  auto bytes = read_all(stream, kMaxDocument);
  if (!bytes) return tl::unexpected(std::move(bytes.error()).in(part));
  return std::string(as_text(*bytes));
}

Result<Json> read_json(const ImageFiles& files, std::string_view part) {
  KF_TRY(const std::string text, read_document(files, part));
  auto json = parse_json(text);
  if (!json) return tl::unexpected(std::move(json.error()).in(part));
  return json;
}

TarParts list_tar_parts(ByteStream& tar, std::size_t patience, bool keep_documents) {
  TarParts out;
  std::size_t seen = 0, kept_room = kMaxKept;
  bool image = false;
  out.problems = walk_tar(tar, [&](const ArchiveMember& member, ByteStream& content) {
    const std::string name = clean_path(member.name);
    image = image || is_image_name(name);
    if (++seen > kMaxParts) image = false;
    if (seen >= patience && !image) return false;
    TarParts::Part part{member.data_offset, member.size_bytes, {}, {}};
    if (keep_documents && member.size_bytes <= kept_room) part.bytes = document(content);
    kept_room -= part.bytes.size();
    if (member.type == 'l') part.link = beside(name, member.link_target);
    if (member.type == 'h') part.link = clean_path(member.link_target);
    if (member.type != 'd' && member.type != 'o') out.parts[name] = std::move(part);
    out.size_bytes = member.data_offset + member.size_bytes;
    return true;
  });
  if (!image) out.parts.clear();
  return out;
}

const TarParts::Part* TarFiles::find(std::string_view name) const {
  auto at = parts_.parts.find(name);
  for (int links = 0; at != parts_.parts.end(); ++links) {
    if (at->second.link.empty()) return &at->second;
    if (links == kMaxLinks) return nullptr;
    at = parts_.parts.find(at->second.link);
  }
  return nullptr;
}

std::uint64_t TarFiles::position(std::string_view name) const {
  const TarParts::Part* part = find(name);
  return part ? part->offset : 0;
}

Result<std::shared_ptr<const RandomAccess>> TarFiles::open(std::string_view name) const {
  const TarParts::Part* part = find(name);
  if (!part) return error(ErrorKind::not_found, std::string(name) + " is not in the image");
  if (!part->bytes.empty()) {
    const Bytes kept = as_bytes(part->bytes);
    return std::make_shared<OwnedBytes>(std::vector(kept.begin(), kept.end()));
  }
  return std::make_shared<OwningWindow>(tar_, part->offset, part->size_bytes);
}

}  // namespace kernelfit
