// SPDX-License-Identifier: Apache-2.0
// A zip from its beginning, without going back. The headers before the members are less to be
// trusted than the directory, so they are checked as its entries are.
#include <algorithm>

#include "archive/archive.h"
#include "archive/member_content.h"
#include "archive/names.h"
#include "archive/zip_names.h"
#include "archive/zip_records.h"
#include "base/borrowed_stream.h"

namespace kernelfit {
namespace {

constexpr unsigned kEncrypted = 1U << 0, kSizeBehind = 1U << 3, kUtf8 = 1U << 11;
constexpr std::uint32_t kNotHere32 = 0xffffffff;
constexpr std::uint16_t kZip64Field = 0x0001;

// APPNOTE 4.5.3: in a local header both sizes are there.
bool read_zip64(Bytes extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::size_t size = *read_at<le16>(extra, 2);
    if (size > extra.size() - 4) return false;
    if (*read_at<le16>(extra, 0) == kZip64Field) {
      const auto plain = read_at<le64>(extra, 4), packed = read_at<le64>(extra, 12);
      if (size < 16 || !plain || !packed) return false;
      member.size_bytes = *plain;
      member.packed_bytes = *packed;
      return true;
    }
    extra = extra.subspan(4 + size);
  }
  return false;
}

class ZipWalker {
 public:
  ZipWalker(ByteStream& stream, const ZipDirectory* known, const ZipVisitor& visit,
            const ArchiveLimits& limits)
      : in_(stream), visit_(visit), limits_(limits) {
    if (!known) return;
    by_directory_ = true;
    known_ = known->members;
    std::ranges::sort(known_, {}, &ZipMember::offset);
  }

  std::vector<std::string> walk() {
    while (go_to_next() && next()) {
    }
    if (in_.failed()) problems_.add(in_.offset(), in_.failed()->text());
    return problems_.take();
  }

 private:
  // What lies between members of the directory is nobody's.
  bool go_to_next() {
    if (!by_directory_) return true;
    if (count_ == known_.size()) return false;
    const std::uint64_t at = known_[count_].offset;
    if (at < in_.offset()) return stop("member " + quoted_name(known_[count_].name) + " overlaps");
    return in_.skip(at - in_.offset()) || stop("the archive is cut");
  }

  bool next() {
    at_ = in_.offset();
    auto raw = in_.text(sizeof(ZipLocalHeader));
    if (!raw)
      return stop(by_directory_ ? "the archive is cut" : "no directory; the archive is cut");
    const auto header = *read_at<ZipLocalHeader>(std::as_bytes(std::span(*raw)), 0);
    if (header.signature != kZipLocal) return by_directory_ ? misplaced() : at_end(header);
    if (count_ == limits_.members) return stop("too many members");
    const auto name = in_.text(header.name_size), extra = in_.text(header.extra_size);
    if (!name || !extra) return stop("the archive is cut in a header");
    ++count_;
    if (by_directory_) return content(known_[count_ - 1]);
    ZipMember member = described(header, *name);
    if (!sizes(header, std::as_bytes(std::span(*extra)), member)) return false;
    return content(member);
  }

  bool misplaced() {
    return stop("member " + quoted_name(known_[count_].name) + " does not begin here");
  }

  bool at_end(const ZipLocalHeader& header) {
    const std::uint32_t mark = header.signature;
    if (mark == kZipCentral || mark == kZipEnd) return false;
    return stop("no member where one must be; the rest is not read");
  }

  ZipMember described(const ZipLocalHeader& header, std::string_view name) const {
    ZipMember member;
    member.name = zip_name(name, (header.flags & kUtf8) != 0);
    member.offset = at_;
    member.size_bytes = header.size;
    member.packed_bytes = header.packed;
    member.crc32 = header.crc32;
    member.method_number = header.method;
    member.method = zip_method_name(header.method);
    member.encrypted = (header.flags & kEncrypted) != 0;
    return member;
  }

  bool sizes(const ZipLocalHeader& header, Bytes extra, ZipMember& member) {
    if ((header.flags & kSizeBehind) != 0) {
      return stop("member " + quoted_name(member.name) +
                  " has its size behind it; it can only be read by the directory at the end");
    }
    if (header.size != kNotHere32 && header.packed != kNotHere32) return true;
    return read_zip64(extra, member) ||
           stop("member " + quoted_name(member.name) + " has a cut zip64 field");
  }

  bool content(const ZipMember& member) {
    MemberContent packed(in_, member.packed_bytes);
    const bool go_on = offer(member, packed);
    if (!go_on || in_.failed()) return false;
    if (in_.skip(packed.left()) || in_.failed()) return !in_.failed();
    return stop("member " + quoted_name(member.name) + " is cut");
  }

  bool offer(const ZipMember& member, MemberContent& packed) {
    if (member.name.ends_with('/')) return true;
    std::string fault(name_fault(member.name));
    if (fault.empty() && member.name.find('\\') != std::string::npos) {
      fault = "has a backslash in its name";
    }
    if (fault.empty()) fault = zip_size_fault(member, limits_);
    if (!fault.empty()) {
      problems_.add(at_, "member " + quoted_name(member.name) + " " + fault + "; left out");
      return true;
    }
    if (Status status = can_open(member); !status) {
      problems_.add(at_, status.error().text());
      return true;
    }
    const auto plain = unpack_member(std::make_unique<BorrowedStream>(packed), member, limits_);
    return visit_(member, *plain);
  }

  bool stop(const std::string& why) {
    if (!in_.failed()) problems_.add(in_.offset(), why);
    return false;
  }

  InOrder in_;
  const ZipVisitor& visit_;
  const ArchiveLimits& limits_;
  Problems problems_;
  bool by_directory_ = false;
  std::vector<ZipMember> known_;
  std::uint64_t at_ = 0, count_ = 0;
};

}  // namespace

std::vector<std::string> walk_zip(ByteStream& stream, const ZipDirectory* known,
                                  const ZipVisitor& visit, const ArchiveLimits& limits) {
  return ZipWalker(stream, known, visit, limits).walk();
}

}  // namespace kernelfit
