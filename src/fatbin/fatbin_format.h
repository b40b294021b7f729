// SPDX-License-Identifier: Apache-2.0
// The headers of a fat binary as they lie in a file, for this room only (docs/fatbin.md).
#pragma once
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "fatbin/fatbin.h"

namespace kernelfit::fatbin_format {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint16_t kVersion = 1, kEntryHeader = 64, kEntryVersion = 0x0101;
constexpr std::uint32_t kMinArch = 10, kMaxArch = 999;
// Seen in 73 wheels: entry headers of up to 11,616 bytes (torch 1.1 lists its object files there).
constexpr std::uint32_t kMaxEntryHeader = 64 << 10;

// docs/fatbin.md 1.2: the container's header.
struct ContainerHeader {
  le32 magic;
  le16 version, header_bytes;
  le64 size_bytes;  // of all entries, this header not counted
};
static_assert(sizeof(ContainerHeader) == 16);

// docs/fatbin.md 1.3: an entry's header; strings of any length may follow before the payload.
struct EntryHeader {
  le16 kind, version;
  le32 header_bytes;
  le64 padded_bytes;
  le32 compressed_bytes, options_at;
  le16 minor, major;  // of the PTX ISA for PTX
  le32 arch, identifier_at, identifier_bytes;
  le64 flags, key, uncompressed_bytes;
};
static_assert(sizeof(EntryHeader) == kEntryHeader);

bool known_kind(int kind);
std::string hex(std::uint64_t value);
// `offset` is that of the entry's header.
FatbinEntry entry_of(const EntryHeader& raw, std::uint64_t offset);

}  // namespace kernelfit::fatbin_format
