// SPDX-License-Identifier: Apache-2.0
#include "cli/scan_extract.h"

#include <algorithm>

namespace kernelfit::cli {
namespace {

constexpr std::size_t kLongestStem = 120;
constexpr std::size_t kMaxProblems = 16;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '+';
}

std::string below(std::string_view path, const std::vector<std::string>& roots) {
  for (const auto& root : roots) {
    if (!path.starts_with(root)) continue;
    std::string_view rest = path.substr(root.size());
    while (!rest.empty() && (rest[0] == '/' || rest[0] == '\\')) rest.remove_prefix(1);
    return std::string(rest.empty() ? base_name(path) : rest);
  }
  return std::string(base_name(path));
}

std::string stem_of(const FileScan& file, const std::vector<std::string>& roots) {
  std::string stem = file.member.empty() ? below(file.path, roots) : file.member;
  std::ranges::replace_if(
      stem, [](char c) { return !is_safe(c); }, '_');
  if (stem.size() > kLongestStem) stem.erase(0, stem.size() - kLongestStem);
  if (stem.empty() || stem[0] == '.' || stem[0] == '-') stem.insert(0, "_");
  return stem;
}

std::string_view ending_of(const GpuArch& arch) {
  switch (arch.kind) {
    case GpuArch::Kind::sass: return ".cubin";
    case GpuArch::Kind::ptx: return ".ptx";
    case GpuArch::Kind::lto: break;
  }
  return ".ltoir";
}

}  // namespace

std::string extract_name(const FileScan& file, const ScannedImage& image,
                         const std::vector<std::string>& roots) {
  const FatbinEntry& entry = image.entry;
  return stem_of(file, roots) + "." + std::to_string(entry.offset) + "." + entry.arch.text() +
         std::string(ending_of(entry.arch));
}

Bytes extract_content(const ScannedImage& image, Bytes decoded) {
  if (image.entry.arch.kind != GpuArch::Kind::ptx) return decoded;
  while (!decoded.empty() && decoded.back() == std::byte{0}) {
    decoded = decoded.first(decoded.size() - 1);
  }
  return decoded;
}

// Two members whose names become the same keep both their images.
std::string Extraction::free_name(const FileScan& file, const ScannedImage& image) {
  const std::string name = extract_name(file, image, roots_);
  const std::string source =
      file.path + "!" + file.member + "!" + std::to_string(image.entry.offset);
  std::string free = name;
  for (int i = 2;; ++i) {
    const auto [at, fresh] = taken_.emplace(free, source);
    if (fresh || at->second == source) return free;
    free = std::to_string(i) + "-" + name;
  }
}

void Extraction::take(const FileScan& file, const ScannedImage& image, Bytes decoded) {
  const Bytes content = extract_content(image, decoded);
  const std::lock_guard lock(mutex_);
  if (full_) return void(++done_.failed);
  const std::string name = free_name(file, image);
  auto added = folder_.add(name, content);
  if (!added) {
    ++done_.failed;
    full_ = added.error().kind == ErrorKind::unsupported;
    if (done_.problems.size() < kMaxProblems) {
      done_.problems.push_back(name + ": " + added.error().message);
    }
    return;
  }
  if (*added == OutputFolder::Added::same) return done_.same.push_back(name);
  done_.written.push_back(name);
  done_.bytes += static_cast<std::int64_t>(content.size());
}

Extracted Extraction::result(const ScanReport& scan, const Selection& selection) const {
  Extracted out = done_;
  out.folder = folder_.path();
  std::ranges::sort(out.written);
  std::ranges::sort(out.same);
  std::ranges::sort(out.problems);
  for (const auto& file : scan.files) {
    if (!selection.takes(file)) continue;
    for (const auto& container : file.containers) {
      out.obfuscated += std::ranges::count_if(container.images, [&](const ScannedImage& image) {
        return image.entry.obfuscated && selection.takes(image.entry.arch);
      });
    }
  }
  return out;
}

}  // namespace kernelfit::cli
