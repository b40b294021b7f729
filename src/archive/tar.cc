// SPDX-License-Identifier: Apache-2.0
// Members of a tar, in order. A header that is not one ends the walk: what follows cannot be told
// from content.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "archive/archive.h"
#include "archive/member_content.h"
#include "archive/names.h"
#include "archive/pax.h"
#include "archive/tar_header.h"
#include "archive/tar_sparse.h"

namespace kernelfit {
namespace {

constexpr std::uint64_t kMaxExtension = std::uint64_t{1} << 20;  // a long name, a pax header

// What stands before a member and is about it.
struct Ahead {
  std::optional<std::string> long_name, long_link;
  PaxValues pax;
};

char type_of(char flag) {
  switch (flag) {
    case '0':
    case '7':
    case 'S': return 'f';
    case '1': return 'h';
    case '2': return 'l';
    case '5':
    case 'D': return 'd';
    default: return 'o';
  }
}

// Links, folders and devices have no content, whatever size stands there (as GNU tar and Python's
// tarfile see it).
bool has_content(char flag) {
  return flag < '1' || flag > '6';
}

std::uint64_t padding(std::uint64_t size) {
  return (kTarBlock - size % kTarBlock) % kTarBlock;
}

class TarWalker {
 public:
  TarWalker(ByteStream& stream, const MemberVisitor& visit, const ArchiveLimits& limits)
      : in_(stream), visit_(visit), limits_(limits) {}

  std::vector<std::string> walk() {
    while (next()) {
    }
    if (in_.failed()) problems_.add(in_.offset(), in_.failed()->text());
    return problems_.take();
  }

 private:
  bool next() {
    header_at_ = in_.offset();
    const std::size_t got = in_.fill(block_);
    if (in_.failed()) return false;
    if (got == 0) return stop("no end mark; the archive may be cut");
    if (got < kTarBlock) return stop("the archive is cut in a header");
    if (std::all_of(block_.begin(), block_.end(), [](std::byte b) { return b == std::byte{0}; })) {
      return end();
    }
    auto header = parse_tar_header(block_);
    if (!header) return stop("no header where one must be; the rest is not read");
    switch (header->type) {
      case 'L': return extension(*header, ahead_.long_name);
      case 'K': return extension(*header, ahead_.long_link);
      case 'x':
      case 'X': return pax_header(*header, ahead_.pax);
      case 'g': return pax_header(*header, global_);
      default: return member(*header);
    }
  }

  // What packs the archive has its checksum behind what pads the archive.
  bool end() {
    in_.skip(std::numeric_limits<std::uint64_t>::max());
    return false;
  }

  // GNU: the name is the content, ended by a NUL.
  bool extension(const TarHeader& header, std::optional<std::string>& into) {
    auto text = payload(header);
    if (!text) return false;
    into = text->substr(0, text->find('\0'));
    return true;
  }

  bool pax_header(const TarHeader& header, PaxValues& into) {
    auto text = payload(header);
    if (text && !read_pax(*text, into)) {
      problems_.add(header_at_, "a pax header is not as it must be");
    }
    return text.has_value();
  }

  std::optional<std::string> payload(const TarHeader& header) {
    if (header.size > kMaxExtension) {
      stop("an extended header of " + std::to_string(header.size) + " bytes");
      return std::nullopt;
    }
    auto text = in_.text(header.size);
    const bool whole = text && in_.skip(padding(header.size));
    if (!whole && !in_.failed()) stop("the archive is cut in an extended header");
    return whole ? text : std::nullopt;
  }

  bool member(const TarHeader& header) {
    if (++count_ > limits_.members) {
      return stop("more than " + std::to_string(limits_.members) + " members");
    }
    const Ahead ahead = std::exchange(ahead_, {});
    ArchiveMember member = describe(header, ahead);
    const std::uint64_t stored = has_content(header.type) ? member.packed_bytes : 0;
    if (stored > limits_.unpacked_bytes) {
      return stop("member " + quoted_name(member.name) + " claims " + std::to_string(stored) +
                  " bytes, more than the limit");
    }
    SparseMap map;
    if (header.type == 'S' && !read_gnu_map(map)) return false;
    member.data_offset = in_.offset();
    MemberContent content(in_, stored);
    const bool go_on = header.type == 'S' || ahead.pax.sparse
                           ? offer_sparse(ahead.pax, std::move(map), member, content)
                           : offer(member, content);
    if (!go_on || in_.failed()) return false;
    const std::uint64_t left = content.left();
    if (!in_.skip(left)) return cut("member " + quoted_name(member.name) + " is cut");
    return in_.skip(padding(stored)) || cut("the archive is cut behind a member");
  }

  ArchiveMember describe(const TarHeader& header, const Ahead& ahead) const {
    const auto first = [](const auto& a, const auto& b, const auto& c, const auto& last) {
      return a ? *a : b ? *b : c ? *c : last;
    };
    const std::optional<std::string> none;
    ArchiveMember member;
    member.name = first(ahead.pax.path, ahead.long_name, global_.path, header.name);
    if (ahead.pax.sparse_name) member.name = *ahead.pax.sparse_name;
    member.link_target =
        first(ahead.pax.link_path, ahead.long_link, global_.link_path, header.link_target);
    member.type = type_of(header.type);
    const std::uint64_t size = ahead.pax.size ? *ahead.pax.size : header.size;
    member.size_bytes = member.packed_bytes = has_content(header.type) ? size : 0;
    member.method = "stored";
    member.offset = header_at_;
    if (member.type == 'f' && member.name.ends_with('/')) member.type = 'd';
    if (limits_.rooted_names) member.name.erase(0, member.name.find_first_not_of('/'));
    return member;
  }

  // GNU's old form: the map begins in the header and goes on in blocks before the content.
  bool read_gnu_map(SparseMap& map) {
    bool more = map.add_header(block_);
    while (more) {
      if (in_.fill(block_) < kTarBlock) return in_.failed() || stop("cut in a sparse map");
      more = map.add_block(block_);
    }
    return true;
  }

  // With a map that cannot be right the content is given as it is stored.
  bool offer_sparse(const PaxValues& pax, SparseMap map, ArchiveMember& member,
                    MemberContent& content) {
    if (pax.sparse) map.add_pax(pax);
    if (pax.sparse_map_in_content) map.add_content(content);
    if (in_.failed()) return false;
    if (!map.fits(content.left()))
      return offer_without_holes("a map that cannot be right", member, content);
    if (too_many_holes(map.size_bytes - content.left())) {
      return offer_without_holes(std::to_string(map.size_bytes) + " bytes with its holes (a bomb)",
                                 member, content);
    }
    member.size_bytes = map.size_bytes;
    SparseContent whole(content, std::move(map));
    return offer(member, whole);
  }

  bool offer_without_holes(const std::string& why, const ArchiveMember& member,
                           ByteStream& content) {
    problems_.add(header_at_, "member " + quoted_name(member.name) + " has " + why +
                                  "; read without its holes");
    return offer(member, content);
  }

  // Of all members together: each may be within the limits.
  bool too_many_holes(std::uint64_t more) {
    const std::uint64_t all = more > limits_.unpacked_bytes ? more : holes_ + more;
    const bool bomb = all > limits_.bomb_bytes && all / limits_.bomb_ratio > in_.offset();
    if (!bomb) holes_ = all;
    return bomb || all > limits_.unpacked_bytes;
  }

  bool offer(const ArchiveMember& member, ByteStream& content) {
    if (std::string_view fault = name_fault(member.name); !fault.empty()) {
      problems_.add(header_at_,
                    "member " + quoted_name(member.name) + " " + std::string(fault) + "; left out");
      return true;
    }
    return visit_(member, content);
  }

  // An error of the stream says more.
  bool cut(const std::string& what) { return in_.failed() ? false : stop(what); }

  bool stop(const std::string& why) {
    problems_.add(header_at_, why);
    return false;
  }

  InOrder in_;
  const MemberVisitor& visit_;
  const ArchiveLimits& limits_;
  Problems problems_;
  PaxValues global_;
  Ahead ahead_;
  std::array<std::byte, kTarBlock> block_{};
  std::uint64_t header_at_ = 0, count_ = 0;
  std::uint64_t holes_ = 0;  // bytes given that are not in the archive
};

}  // namespace

std::vector<std::string> walk_tar(ByteStream& stream, const MemberVisitor& visit,
                                  const ArchiveLimits& limits) {
  return TarWalker(stream, visit, limits).walk();
}

}  // namespace kernelfit
