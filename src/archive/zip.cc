// SPDX-License-Identifier: Apache-2.0
// The central directory: the list of members, and which of them cannot be believed.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "archive/archive.h"
#include "archive/names.h"
#include "archive/zip_end.h"
#include "archive/zip_names.h"
#include "archive/zip_records.h"

namespace kernelfit {
namespace {

constexpr std::uint32_t kNotHere32 = 0xffffffff;  // the number is in the zip64 field
constexpr std::uint16_t kZip64Field = 0x0001;
constexpr unsigned kEncrypted = 1U << 0, kMasked = 1U << 13, kUtf8 = 1U << 11;
constexpr unsigned kUnix = 3;  // made_by: the mode is in the upper half of `external`
constexpr std::uint32_t kTypeMask = 0170000, kTypeLink = 0120000;
constexpr std::size_t kBuffer = std::size_t{256} << 10;  // more than one entry can have

// [from, from + size) of a file in order, fetched in large pieces.
class EntryReader {
 public:
  EntryReader(const RandomAccess& file, std::uint64_t from, std::uint64_t size)
      : file_(file), next_(from), left_(size) {}
  // `count` bytes, good until the next call; at most kBuffer.
  Result<Bytes> get(std::size_t count) {
    if (count > buffer_.size() - at_) {
      if (Status status = fill(count); !status) return tl::unexpected(std::move(status.error()));
    }
    at_ += count;
    return Bytes(buffer_).subspan(at_ - count, count);
  }
  std::uint64_t offset() const { return next_ - (buffer_.size() - at_); }
  bool at_end() const { return left_ == 0 && at_ == buffer_.size(); }

 private:
  Status fill(std::size_t count) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t kept = buffer_.size();
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(kBuffer - kept, left_));
    if (count > kept + more) return error(ErrorKind::truncated, "ends in the middle of an entry");
    buffer_.resize(kept + more);
    if (Status status = file_.read(next_, std::span(buffer_).subspan(kept)); !status) return status;
    next_ += more;
    left_ -= more;
    return {};
  }
  const RandomAccess& file_;
  std::uint64_t next_, left_;
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
};

// APPNOTE 4.5.3: only the numbers that do not fit are there, in this order.
bool read_zip64_field(Bytes field, const ZipCentralHeader& header, ZipMember& member) {
  std::uint64_t at = 0;
  const auto take = [&](std::uint32_t here, std::uint64_t& into) {
    if (here != kNotHere32) return true;
    auto value = read_at<le64>(field, at);
    if (value) into = *value;
    at += 8;
    return value.has_value();
  };
  return take(header.size, member.size_bytes) && take(header.packed, member.packed_bytes) &&
         take(header.offset, member.offset);
}

bool read_extra(Bytes extra, const ZipCentralHeader& header, ZipMember& member) {
  const bool needed =
      header.size == kNotHere32 || header.packed == kNotHere32 || header.offset == kNotHere32;
  if (!needed) return true;
  while (extra.size() >= 4) {
    const std::uint16_t id = *read_at<le16>(extra, 0);
    const std::size_t size = *read_at<le16>(extra, 2);
    if (size > extra.size() - 4) break;
    if (id == kZip64Field) return read_zip64_field(extra.subspan(4, size), header, member);
    extra = extra.subspan(4 + size);
  }
  return true;  // the numbers are what they say: exactly 4 GB less one byte
}

ZipMember member_of(const ZipCentralHeader& header, std::string name) {
  ZipMember member;
  member.name = std::move(name);
  member.size_bytes = header.size;
  member.packed_bytes = header.packed;
  member.offset = header.offset;
  member.crc32 = header.crc32;
  member.method_number = header.method;
  member.method = zip_method_name(header.method);
  member.encrypted = (header.flags & (kEncrypted | kMasked)) != 0;
  const std::uint32_t mode = header.external >> 16;
  const bool from_unix = header.made_by >> 8 == kUnix;
  if (from_unix && (mode & kTypeMask) == kTypeLink) member.type = 'l';
  return member;
}

bool ends_before_directory(const ZipMember& member, const ZipPlace& place) {
  const std::uint64_t room = place.directory_at - std::min(member.offset, place.directory_at);
  return room >= sizeof(ZipLocalHeader) && member.packed_bytes <= room - sizeof(ZipLocalHeader);
}

// Why a member cannot be as it says; empty for a good one.
std::string fault_of(const ZipMember& member, const ZipPlace& place, const ArchiveLimits& limits) {
  if (std::string_view fault = name_fault(member.name); !fault.empty()) return std::string(fault);
  if (member.name.find('\\') != std::string::npos) return "has a backslash in its name";
  if (ends_before_directory(member, place)) return zip_size_fault(member, limits);
  return "claims " + std::to_string(member.packed_bytes) +
         " bytes, which reach into the central directory";
}

class DirectoryReader {
 public:
  DirectoryReader(const RandomAccess& file, const ZipPlace& place, const ArchiveLimits& limits)
      : place_(place), limits_(limits), in_(file, place.directory_at, place.directory_size) {}
  // A part of it: whole entries.
  DirectoryReader(const RandomAccess& file, const ZipPlace& place, const ArchiveLimits& limits,
                  std::uint64_t from, std::uint64_t size)
      : place_(place), limits_(limits), in_(file, from, size) {}

  ZipDirectory read() {
    while (!in_.at_end() && read_entry()) {
    }
    if (!full_ && found_ != place_.entries) {
      problems_.add(in_.offset(), "the end record claims " + std::to_string(place_.entries) +
                                      " members, the directory has " + std::to_string(found_));
    }
    drop_overlapping();
    tell_repeated();
    return {std::move(members_), problems_.take(), remarks_.take()};
  }

  // Nothing where there is anything to say about them.
  std::optional<std::vector<ZipMember>> read_part() {
    while (!in_.at_end() && read_entry()) {
    }
    drop_overlapping();
    if (!problems_.take().empty()) return {};
    return std::move(members_);
  }

 private:
  bool read_entry() {
    const std::uint64_t offset = in_.offset();
    auto raw = in_.get(sizeof(ZipCentralHeader));
    if (!raw) return stop(offset, raw.error().message);
    const ZipCentralHeader header = *read_at<ZipCentralHeader>(*raw, 0);
    if (header.signature != kZipCentral) return stop(offset, "no entry where one must be");
    if (found_ == limits_.members) {
      full_ = true;
      return stop(offset, "more than " + std::to_string(limits_.members) + " members");
    }
    auto rest = in_.get(std::size_t{header.name_size} + header.extra_size + header.comment_size);
    if (!rest) return stop(offset, rest.error().message);
    ++found_;
    const bool utf8 = (header.flags & kUtf8) != 0;
    ZipMember member = member_of(header, zip_name(as_text(rest->first(header.name_size)), utf8));
    if (!read_extra(rest->subspan(header.name_size, header.extra_size), header, member)) {
      problems_.add(offset, "member " + quoted_name(member.name) + " has a cut zip64 field");
      return true;
    }
    add(offset, std::move(member));
    return true;
  }

  void add(std::uint64_t offset, ZipMember member) {
    if (member.offset > ~std::uint64_t{0} - place_.prefix)
      member.offset = ~std::uint64_t{0};
    else
      member.offset += place_.prefix;
    if (member.name.ends_with('/')) return;
    if (std::string fault = fault_of(member, place_, limits_); !fault.empty()) {
      problems_.add(offset, "member " + quoted_name(member.name) + " " + fault + "; left out");
      return;
    }
    members_.push_back(std::move(member));
  }

  // A member must end before the next one's header. Where it does not, one byte would be unpacked
  // many times (a bomb without a limit), or the directory lies. The name in the local header is not
  // counted: opening the member will.
  void drop_overlapping() {
    std::vector<std::size_t> order(members_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return members_[a].offset < members_[b].offset;
    });
    std::vector<bool> bad(members_.size());
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const ZipMember& member = members_[order[i]];
      const std::uint64_t end = member.offset + sizeof(ZipLocalHeader) + member.packed_bytes;
      if (end <= members_[order[i + 1]].offset) continue;
      bad[order[i]] = true;
      problems_.add(member.offset, "member " + quoted_name(member.name) + " overlaps " +
                                       quoted_name(members_[order[i + 1]].name) + "; left out");
    }
    std::size_t index = 0;
    std::erase_if(members_, [&](const ZipMember&) { return bad[index++]; });
  }

  // A name stands for one file where it is unpacked: zipfile, and so pip, looks names up in a table
  // into which each entry of the directory is written over the one before.
  void tell_repeated() {
    std::map<std::string_view, std::size_t> times;
    for (const auto& member : members_) ++times[member.name];
    if (times.size() == members_.size()) return;
    for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
      std::size_t& count = times[member->name];
      if (count > 1) {
        remarks_.add(member->offset, "member " + quoted_name(member->name) + " is there " +
                                        std::to_string(count) + " times; pip installs this one");
      }
      count = 0;
    }
  }

  bool stop(std::uint64_t offset, const std::string& why) {
    problems_.add(offset, "central directory: " + why);
    return false;
  }

  const ZipPlace& place_;
  const ArchiveLimits& limits_;
  EntryReader in_;
  Problems problems_, remarks_;
  std::vector<ZipMember> members_;
  std::uint64_t found_ = 0;
  bool full_ = false;
};

// How many bytes of `part` are whole entries, from its begin.
std::size_t whole_entries(Bytes part) {
  std::size_t at = 0;
  while (const auto header = read_at<ZipCentralHeader>(part, at)) {
    const std::size_t size =
        sizeof(ZipCentralHeader) + header->name_size + header->extra_size + header->comment_size;
    if (header->signature != kZipCentral || size > part.size() - at) break;
    at += size;
  }
  return at;
}

// Where the entries begin that fill `part` up to its end. A signature may stand in a name.
std::optional<std::size_t> entries_up_to_end(Bytes part) {
  constexpr std::string_view kSignature = "PK\1\2";
  constexpr int kTries = 16;
  const std::string_view text = as_text(part);
  std::size_t at = text.find(kSignature);
  for (int i = 0; i < kTries && at != text.npos; ++i) {
    if (at + whole_entries(part.subspan(at)) == part.size()) return at;
    at = text.find(kSignature, at + 1);
  }
  return {};
}

}  // namespace

std::optional<ZipEnds> read_zip_ends(const RandomAccess& whole, std::uint64_t span,
                                     const ArchiveLimits& limits) {
  const auto file = TailAccess::over(whole, kZipTail);
  if (!file) return {};
  const auto place = find_zip_directory(*file);
  if (!place || place->behind > 0 || place->directory_size / 3 < span) return {};
  std::vector<std::byte> first(static_cast<std::size_t>(span)), last(first.size());
  const std::uint64_t last_at = place->directory_at + place->directory_size - span;
  if (!file->read(last_at, last) || !file->read(place->directory_at, first)) return {};
  const auto begin = entries_up_to_end(last);
  if (!begin) return {};
  auto members =
      DirectoryReader(*file, *place, limits, place->directory_at, whole_entries(first)).read_part();
  auto more = DirectoryReader(*file, *place, limits, last_at + *begin, span - *begin).read_part();
  if (!members || !more) return {};
  std::ranges::move(*more, std::back_inserter(*members));
  return ZipEnds{std::move(*members), place->entries};
}

std::string zip_method_name(int method) {
  switch (method) {
    case 0: return "stored";
    case 8: return "deflated";
    case 9: return "deflate64";
    case 12: return "bzip2";
    case 14: return "lzma";
    case 93: return "zstd";
    case 95: return "xz";
    default: return "method " + std::to_string(method);
  }
}

std::string zip_size_fault(const ZipMember& member, const ArchiveLimits& limits) {
  constexpr std::uint64_t kSlack = 1024;  // small members may claim more than the ratio
  const std::uint64_t size = member.size_bytes, packed = member.packed_bytes;
  const std::string claim =
      "claims " + std::to_string(size) + " bytes from " + std::to_string(packed);
  if (member.method_number == 0 && !member.encrypted && size != packed) {
    return claim + ", though it is stored";
  }
  if (member.method_number == 8 && size > kSlack && (size - kSlack) / limits.ratio > packed) {
    return claim + ", more than deflate can give";
  }
  if (size > limits.bomb_bytes && size / limits.bomb_ratio > packed) return claim + " (a bomb)";
  return size > limits.unpacked_bytes ? claim + ", more than the limit" : "";
}

Result<ZipDirectory> read_zip_directory(const RandomAccess& whole, const ArchiveLimits& limits) {
  auto file = TailAccess::over(whole, kZipTail);
  if (!file) return tl::unexpected(std::move(file.error()).in("the end of the zip"));
  KF_TRY(ZipPlace place, find_zip_directory(*file));
  ZipDirectory directory = DirectoryReader(*file, place, limits).read();
  if (place.behind > 0) {
    directory.problems.push_back("offset " + std::to_string(file->size() - place.behind) + ": " +
                                 std::to_string(place.behind) + " bytes behind the end of the zip");
  }
  return directory;
}

}  // namespace kernelfit
