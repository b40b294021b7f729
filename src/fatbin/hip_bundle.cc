// SPDX-License-Identifier: Apache-2.0
#include "fatbin/hip_bundle.h"

#include <string_view>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__", kCompressed = "CCOB";
constexpr std::uint64_t kMaxEntries = 256, kMaxId = 256;

struct BundleEntry {
  le64 offset, size_bytes, id_bytes;
};

// "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" → "gfx90a:sramecc+:xnack-"; empty for the host.
std::string target_of(std::string_view id) {
  const std::size_t at = id.rfind("gfx");
  return at == id.npos ? std::string() : printable(id.substr(at));
}

}  // namespace

bool looks_like_hip_bundle(Bytes first_bytes) {
  const std::string_view text = as_text(first_bytes);
  if (text.substr(0, kMagic.size()) == kMagic) {
    // Sections of linkers are called so too: "__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen".
    const auto count = read_at<le64>(first_bytes, kMagic.size());
    return !count || std::uint64_t{*count} <= kMaxEntries;
  }
  if (text.substr(0, kCompressed.size()) != kCompressed) return false;
  const auto version = read_at<le16>(first_bytes, 4), method = read_at<le16>(first_bytes, 6);
  return version && method && *version >= 1 && *version <= 3 && *method <= 1;
}

Result<HipBundle> parse_hip_bundle(Bytes front) {
  HipBundle bundle;
  if (!looks_like_hip_bundle(front)) return error(ErrorKind::malformed, "not an offload bundle");
  if (as_text(front).substr(0, kCompressed.size()) == kCompressed) {
    bundle.compressed = true;
    return bundle;
  }
  KF_TRY(std::uint64_t count, read_at<le64>(front, kMagic.size()));
  if (count > kMaxEntries) {
    return error(ErrorKind::malformed, "bundle of " + std::to_string(count) + " entries");
  }
  std::uint64_t at = kMagic.size() + sizeof(le64);
  for (std::uint64_t i = 0; i < count; ++i) {
    KF_TRY(BundleEntry entry, read_at<BundleEntry>(front, at));
    at += sizeof(BundleEntry);
    if (entry.id_bytes > kMaxId) return error(ErrorKind::malformed, "bundle id is too long");
    KF_TRY(Bytes id, slice(front, at, entry.id_bytes));
    at += entry.id_bytes;
    std::string target = target_of(as_text(id));
    if (!target.empty()) bundle.targets.push_back(std::move(target));
  }
  return bundle;
}

}  // namespace kernelfit
