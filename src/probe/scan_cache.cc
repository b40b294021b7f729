// SPDX-License-Identifier: Apache-2.0
#include "probe/scan_cache.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/json.h"
#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::string_view kName = "scans.json";
// Raised when the same file would be described in other words.
constexpr int kFormat = 1;
constexpr std::size_t kMaxFiles = 512;
// Seen: 60 groups in cuFFT, 80 in cuBLASLt.
constexpr std::size_t kMaxGroups = 4096, kMaxProblems = 16, kMaxArchs = 256;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 50;

std::string key_of(const FileInfo& file) {
  return std::to_string(file.device) + ":" + std::to_string(file.inode) + ":" +
         std::to_string(file.size_bytes) + ":" + std::to_string(file.mtime_ns);
}

// The program itself is part of the stamp: another build may read the same file differently.
std::string program_of(const Host& host) {
  const auto info = host.file_info(host.self_path());
  return info ? std::to_string(info->size_bytes) + ":" + std::to_string(info->mtime_ns) : "";
}

Json group_json(const ContainerGroup& group) {
  Json out = Json::object();
  out.add("section", group.section);
  out.add("archs", arch_list_text(group.archs));
  out.add("containers", group.containers);
  out.add("images", group.images);
  out.add("bytes", group.code_bytes);
  out.add("relocatable", group.relocatable);
  return out;
}

Json images_json(const std::string& key, const BinaryImages& images) {
  Json out = Json::object();
  out.add("file", key);
  out.add("ptx_isa", images.ptx_isa.text());
  out.add("compression", images.compression);
  if (!images.problems.empty()) out.add("problems", Json(images.problems));
  Json groups = Json::array();
  for (const auto& group : images.groups) groups.push(group_json(group));
  out.add("groups", std::move(groups));
  return out;
}

// Nothing where a value is not what group_json() writes.
std::optional<ContainerGroup> read_group(const Json& from) {
  ContainerGroup group;
  group.section = from.at("section").string();
  group.archs = parse_arch_list(from.at("archs").string());
  group.containers = from.at("containers").integer(-1);
  group.images = from.at("images").integer(-1);
  group.code_bytes = from.at("bytes").integer(-1);
  group.relocatable = from.at("relocatable").boolean();
  for (const std::int64_t count : {group.containers, group.images, group.code_bytes}) {
    if (count < 0 || count > kMaxCount) return {};
  }
  const bool in_order =
      std::ranges::adjacent_find(group.archs, std::ranges::greater_equal()) == group.archs.end();
  const bool whole = in_order && !group.archs.empty() && group.archs.size() <= kMaxArchs &&
                     arch_list_text(group.archs) == from.at("archs").string();
  return whole ? std::optional(std::move(group)) : std::nullopt;
}

std::optional<BinaryImages> read_images(const Json& from) {
  BinaryImages images;
  const std::string_view isa = from.at("ptx_isa").string();
  if (!isa.empty()) {
    const auto version = DottedVersion::parse(isa);
    if (!version) return {};
    images.ptx_isa = *version;
  }
  images.compression = from.at("compression").string();
  images.problems = from.at("problems").strings();
  const auto& groups = from.at("groups");
  if (!groups.is_array() || groups.items().size() > kMaxGroups) return {};
  if (images.problems.size() > kMaxProblems) return {};
  for (const auto& item : groups.items()) {
    auto group = read_group(item);
    if (!group) return {};
    images.groups.push_back(*std::move(group));
  }
  return images;
}

}  // namespace

std::vector<std::pair<std::string, BinaryImages>> read_scan_table(std::string_view text,
                                                                  std::string_view program) {
  const auto table = parse_json(text);
  if (!table || table->at("format").integer() != kFormat) return {};
  const auto& items = table->at("files").items();
  if (table->at("program").string() != program || items.size() > kMaxFiles) return {};
  std::vector<std::pair<std::string, BinaryImages>> out;
  for (const auto& item : items) {
    const std::string_view key = item.at("file").string();
    auto images = read_images(item);
    if (key.empty() || !images) return {};
    out.emplace_back(key, *std::move(images));
  }
  return out;
}

ScanCache::ScanCache(const Host& host, bool use) : host_(host), use_(use && !host.is_recorded()) {
  if (use_) program_ = program_of(host);
  use_ = use_ && !program_.empty();
  if (use_) load();
}

void ScanCache::load() {
  const auto text = host_.read_cache(kName);
  if (!text) return;
  for (auto& [key, images] : read_scan_table(*text, program_)) {
    if (files_.emplace(key, std::move(images)).second) newest_first_.push_back(std::move(key));
  }
}

const BinaryImages* ScanCache::find(const FileInfo& file) const {
  if (!use_ || file.inode == 0) return nullptr;
  const auto found = files_.find(key_of(file));
  return found == files_.end() ? nullptr : &found->second;
}

void ScanCache::add(const FileInfo& file, BinaryImages images) {
  if (!use_ || file.inode == 0) return;
  images.file.clear();
  std::string key = key_of(file);
  if (!files_.insert_or_assign(key, std::move(images)).second) return;
  newest_first_.insert(newest_first_.begin(), std::move(key));
  changed_ = true;
}

void ScanCache::save() const {
  if (!changed_) return;
  Json out = Json::object();
  out.add("format", kFormat);
  out.add("program", program_);
  Json files = Json::array();
  for (std::size_t i = 0; i < std::min(newest_first_.size(), kMaxFiles); ++i) {
    files.push(images_json(newest_first_[i], files_.find(newest_first_[i])->second));
  }
  out.add("files", std::move(files));
  // Nobody asked for a cache, so nobody is told that there is none.
  static_cast<void>(host_.write_cache(kName, out.dump_compact()));
}

}  // namespace kernelfit
