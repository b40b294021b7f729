// SPDX-License-Identifier: Apache-2.0
// The records of a zip as they lie in the file (APPNOTE 6.3.10, 4.3). Private to the room.
#pragma once
#include <string>

#include "archive/archive.h"
#include "base/bytes.h"

namespace kernelfit {

struct ZipLocalHeader {  // 4.3.7
  le32 signature;
  le16 version, flags, method, time, date;
  le32 crc32, packed, size;
  le16 name_size, extra_size;
};
struct ZipCentralHeader {  // 4.3.12
  le32 signature;
  le16 made_by, version, flags, method, time, date;
  le32 crc32, packed, size;
  le16 name_size, extra_size, comment_size, disk, internal;
  le32 external, offset;
};
struct ZipEnd {  // 4.3.16
  le32 signature;
  le16 disk, directory_disk, disk_entries, entries;
  le32 size, offset;
  le16 comment_size;
};
struct Zip64Locator {  // 4.3.15
  le32 signature, disk;
  le64 offset;
  le32 disks;
};
struct Zip64End {  // 4.3.14
  le32 signature;
  le64 record_size;
  le16 made_by, version;
  le32 disk, directory_disk;
  le64 disk_entries, entries, size, offset;
};
static_assert(sizeof(ZipLocalHeader) == 30 && sizeof(ZipCentralHeader) == 46);
static_assert(sizeof(ZipEnd) == 22 && sizeof(Zip64Locator) == 20 && sizeof(Zip64End) == 56);

constexpr std::uint32_t kZipLocal = 0x04034b50, kZipCentral = 0x02014b50, kZipEnd = 0x06054b50,
                        kZip64Locator = 0x07064b50, kZip64End = 0x06064b50;

std::string zip_method_name(int method);  // "deflated"
// More than its method can give, or than anybody packs; empty for a size that can be.
std::string zip_size_fault(const ZipMember& member, const ArchiveLimits& limits);
// Not encrypted, and a method that is read.
Status can_open(const ZipMember& member);
// What `packed` holds, checked against the member's size and checksum.
std::unique_ptr<ByteStream> unpack_member(std::unique_ptr<ByteStream> packed,
                                          const ZipMember& member, const ArchiveLimits& limits);

}  // namespace kernelfit
