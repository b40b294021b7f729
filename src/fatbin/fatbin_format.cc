// SPDX-License-Identifier: Apache-2.0
#include "fatbin/fatbin_format.h"

#include <algorithm>
#include <cstdio>

namespace kernelfit::fatbin_format {
namespace {

constexpr int kPtx = 1, kCubin = 2, kLto = 8, kRelocatablePtx = 0x40;
constexpr std::uint64_t kOldCompress = 0x1000, kLz4 = 0x2000, kZstd = 0x8000;
constexpr std::uint64_t kObfuscated = 0x10000;
constexpr std::uint64_t kArchSpecific = 0x100000, kFamilySpecific = 0x200000;
// Compression that no image has: the best ratio seen is 134, LZ4 cannot pass 255.
constexpr std::uint64_t kMaxRatio = 1024;

std::string_view compression_of(std::uint64_t flags) {
  if (flags & kZstd) return "zstd";
  if (flags & kLz4) return "lz4";
  if (flags & kOldCompress) return "unknown";
  return "none";
}

char suffix_of(std::uint64_t flags) {
  if (flags & kArchSpecific) return 'a';
  return flags & kFamilySpecific ? 'f' : '\0';
}

}  // namespace

bool known_kind(int kind) {
  return kind == kPtx || kind == kCubin || kind == kLto || kind == kRelocatablePtx;
}

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

FatbinEntry entry_of(const EntryHeader& raw, std::uint64_t offset) {
  FatbinEntry entry;
  entry.kind = raw.kind;
  entry.offset = offset;
  entry.payload_offset = offset + raw.header_bytes;
  entry.obfuscated = (raw.flags & kObfuscated) != 0;
  entry.arch.kind = raw.kind == kCubin ? GpuArch::Kind::sass
                    : raw.kind == kLto ? GpuArch::Kind::lto
                                       : GpuArch::Kind::ptx;
  entry.arch.number = static_cast<int>(raw.arch);
  entry.arch.suffix = suffix_of(raw.flags);
  if (entry.arch.kind == GpuArch::Kind::ptx) {
    entry.ptx_isa = dotted(std::to_string(raw.major) + "." + std::to_string(raw.minor));
  }
  entry.compression = compression_of(raw.flags);
  const std::uint64_t padded = raw.padded_bytes, compressed = raw.compressed_bytes;
  entry.stored_bytes = compressed != 0 ? std::min(compressed, padded) : padded;
  const bool believable = raw.uncompressed_bytes / kMaxRatio <= entry.stored_bytes;
  entry.code_bytes =
      raw.uncompressed_bytes != 0 && believable ? raw.uncompressed_bytes : entry.stored_bytes;
  return entry;
}

}  // namespace kernelfit::fatbin_format
