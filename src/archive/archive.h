// SPDX-License-Identifier: Apache-2.0
// Files that hold files: zip (wheels, the outer layer of .conda), tar, ar (.a, .deb). Members are
// visited one by one; nothing is unpacked to disk and no member is held whole in memory.
// Formats: PKWARE APPNOTE 6.3.10 (zip, zip64); POSIX.1-2017 pax and GNU tar; ar(5) with GNU long
// names and GNU thin archives; deb(5).
//
// Names come from outside: `name` is what the archive says. One with "..", an absolute path or a
// NUL is reported in `problems` and its member is left out: no caller has to check names. Only a
// thin archive's are paths by their nature, "../obj/a.o" and "/src/a.o" too: what they name is
// read, never written. A backslash is refused in zip, where it stands for '/'; in tar it is a
// letter like any other (systemd's units have it).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/stream.h"

namespace kernelfit {

enum class ArchiveKind { none, zip, tar, ar, thin_ar };

// By the first 512 bytes ("ustar" and an old tar's checksum included).
ArchiveKind sniff_archive(Bytes first_bytes);

// Limits against hostile archives.
struct ArchiveLimits {
  std::uint64_t members = 2'000'000;
  std::uint64_t unpacked_bytes = std::uint64_t{1} << 40;  // of one member
  std::uint64_t ratio = 1100;  // unpacked : packed that deflate can reach (its own limit is 1032)
  // Of a zip's member, and of all holes of a tar: more than bomb_bytes at more than bomb_ratio : 1
  // is a bomb, whatever the method. Libraries in wheels have 1 to 6 : 1.
  std::uint64_t bomb_bytes = std::uint64_t{1} << 30;
  std::uint64_t bomb_ratio = 200;
  // Of a tar that holds a file system: "/usr/lib" is a name in it as "usr/lib" is.
  bool rooted_names = false;
};

struct ArchiveMember {
  std::string name;              // with '/', as the archive says
  std::uint64_t size_bytes = 0;  // unpacked
  std::uint64_t packed_bytes = 0;
  std::string method;        // "stored", "deflated", "zstd" (zip method 93), …
  char type = 'f';           // 'f' file, 'd' folder, 'l' symbolic link, 'h' hard link, 'o' other
  std::string link_target;   // of links, as the archive says
  std::uint64_t offset = 0;  // of the member's header in the archive
  // Of its content, where that is known: not in a zip's directory, nor in a thin archive, whose
  // content is the file `name` beside it.
  std::uint64_t data_offset = 0;
};

// --- zip: has a directory, so members can be listed first and opened in any order, side by side --

struct ZipMember : ArchiveMember {
  std::uint32_t crc32 = 0;
  int method_number = 0;
  bool encrypted = false;
};

struct ZipDirectory {
  std::vector<ZipMember> members;     // as the central directory lists them; folders left out.
                                      // A link's target is its content, not in `link_target`.
  std::vector<std::string> problems;  // "offset 4711: …": overlapping members, bad names, cut
  std::vector<std::string> remarks;   // the same, where all is read all the same: names that repeat
};

// Reads the central directory only (zip64 too, and a comment up to 64 KB behind it): a 2 GB wheel
// costs two reads, the last 64 KB and what of the directory is before them. An error where there is
// no directory to go by.
Result<ZipDirectory> read_zip_directory(const RandomAccess& file, const ArchiveLimits& limits = {});

// The first and the last `span` bytes of a directory, for a reader to whom each byte costs: what a
// wheel says of itself stands there, and its RECORD names the members between.
struct ZipEnds {
  std::vector<ZipMember> members;
  std::uint64_t entries = 0;  // of the whole directory, folders too, as the archive says
};
// Nothing where the directory has hardly more than that, or anything in it is odd: then it has to
// be read whole.
std::optional<ZipEnds> read_zip_ends(const RandomAccess& file, std::uint64_t span,
                                     const ArchiveLimits& limits = {});

// Where a member's bytes begin: its local header is read, and must be of the same member.
Result<std::uint64_t> member_data_offset(const RandomAccess& file, const ZipMember& member);
// Where a member is stored, its window of the file can be read in place.
Result<std::unique_ptr<RandomAccess>> open_stored(const RandomAccess& file,
                                                  const ZipMember& member);
// Reads what open_stored() gave and holds it against the CRC-32 of the directory. A member above
// 1 GB is believed: to read it whole would cost more than everything else that is done with it.
Status check_stored(const RandomAccess& content, const ZipMember& member);
// Any member, in order. `file` outlives the stream. A member that is longer or shorter than the
// directory says is an error at that point, and so is one whose bytes do not match its CRC-32.
// ErrorKind::unsupported: encrypted, or a method that is not read (it is named).
Result<std::unique_ptr<ByteStream>> open_member(const RandomAccess& file, const ZipMember& member,
                                                const ArchiveLimits& limits = {});

// A zip that comes in order (a download): members by the headers before them, up to the directory.
// Where `known` is not null, sizes and places are the directory's; without it a member whose size
// is written behind its content ends the walk. A problem names what could not be read.
using ZipVisitor = std::function<bool(const ZipMember& member, ByteStream& content)>;
std::vector<std::string> walk_zip(ByteStream& stream, const ZipDirectory* known,
                                  const ZipVisitor& visit, const ArchiveLimits& limits = {});

// --- tar and ar: in order ------------------------------------------------------------------------

// Called for each member with a stream over its content (empty for links and folders); the visitor
// may leave any part unread. False ends the walk.
using MemberVisitor = std::function<bool(const ArchiveMember& member, ByteStream& content)>;

// Problems are returned; what stands before a fault was visited. The stream is read to its end, so
// that a wrong checksum of what packs it is one of them. pax and GNU long names, base-256
// sizes, sparse files with their holes as zeros (GNU's old form; pax 0.0, 0.1 and 1.0).
std::vector<std::string> walk_tar(ByteStream& stream, const MemberVisitor& visit,
                                  const ArchiveLimits& limits = {});

using ArMember = ArchiveMember;
struct ArDirectory {
  std::vector<ArMember> members;  // symbol tables ("/", "/SYM64/") and the name table left out
  bool thin = false;
  std::vector<std::string> problems;
};
// Reads the 60-byte headers only: members can be opened in place (WindowAccess).
Result<ArDirectory> read_ar_directory(const RandomAccess& file, const ArchiveLimits& limits = {});
// The same from a stream (an .a inside a wheel, a .deb in a tar).
std::vector<std::string> walk_ar(ByteStream& stream, const MemberVisitor& visit,
                                 const ArchiveLimits& limits = {});

// True for a name that may be used as it is: relative, no ".." part, no NUL, not empty.
bool safe_member_name(std::string_view name);

}  // namespace kernelfit
