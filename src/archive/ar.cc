// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "archive/ar_header.h"
#include "archive/archive.h"
#include "archive/member_content.h"
#include "archive/names.h"

namespace kernelfit {
namespace {

using namespace std::string_view_literals;

// One reader for both: a file is a stream whose skipping is a jump.
class ArReader {
 public:
  ArReader(ByteStream& stream, const ArchiveLimits& limits) : in_(stream), limits_(limits) {}

  // True where the magic is one of ar's.
  bool begin() {
    auto magic = in_.text(kArMagic);
    thin_ = magic == "!<thin>\n"sv;
    return thin_ || magic == "!<arch>\n"sv;
  }

  template <typename Take>
  void each(const Take& take) {
    while (next(take)) {
    }
    if (in_.failed()) problems_.add(in_.offset(), in_.failed()->text());
  }

  InOrder& in() { return in_; }
  bool thin() const { return thin_; }
  Problems& problems() { return problems_; }

 private:
  template <typename Take>
  bool next(const Take& take) {
    header_at_ = in_.offset();
    ArHeader header;
    const std::size_t got = in_.fill(std::as_writable_bytes(std::span(&header, 1)));
    if (got == 0 || in_.failed()) return false;
    if (got < sizeof(header)) return stop("the archive is cut in a header");
    auto entry = parse_ar_header(header);
    if (!entry) return stop("no header where one must be; the rest is not read");
    if (++count_ > limits_.members) {
      return stop("more than " + std::to_string(limits_.members) + " members");
    }
    if (entry->is_names) return read_names(*entry);
    if (entry->is_symbols) return pass(entry->size, entry->size, entry->name);
    auto bsd_name = in_.text(entry->name_size);
    if (!bsd_name) return stop("the archive is cut in a name");
    std::string name = ar_member_name(*entry, names_, *bsd_name);
    name_bytes_ += name.size();
    if (name_bytes_ > kMaxArNames) return stop("names that are too long");
    return member(*entry, std::move(name), take);
  }

  template <typename Take>
  bool member(const ArEntry& entry, std::string name, const Take& take) {
    ArMember member;
    member.name = std::move(name);
    member.size_bytes = member.packed_bytes = entry.size - entry.name_size;
    member.method = "stored";
    member.offset = header_at_;
    member.data_offset = thin_ ? 0 : in_.offset();
    const std::uint64_t stored = thin_ ? 0 : member.size_bytes;
    MemberContent content(in_, stored);
    const auto fault = thin_ ? path_fault(member.name) : name_fault(member.name);
    if (!fault.empty()) {
      problems_.add(header_at_,
                    "member " + quoted_name(member.name) + " " + std::string(fault) + "; left out");
    } else if (!take(member, content)) {
      return false;
    }
    if (in_.failed()) return false;
    return pass(content.left(), thin_ ? 0 : entry.size, quoted_name(member.name));
  }

  // The rest of a member, and the byte that makes its size even; the last one may lack it.
  bool pass(std::uint64_t left, std::uint64_t size, const std::string& what) {
    if (!in_.skip(left)) return in_.failed() ? false : stop("member " + what + " is cut");
    if (size % 2 != 0) in_.skip(1);
    return !in_.failed();
  }

  bool read_names(const ArEntry& entry) {
    if (entry.size > kMaxArNames) return stop("a table of names that is too large");
    auto names = in_.text(entry.size);
    if (!names) return stop("the archive is cut in its names");
    names_ = *std::move(names);
    return pass(0, entry.size, "//");
  }

  bool stop(const std::string& why) {
    problems_.add(header_at_, why);
    return false;
  }

  InOrder in_;
  const ArchiveLimits& limits_;
  Problems problems_;
  std::string names_;
  bool thin_ = false;
  std::uint64_t header_at_ = 0, count_ = 0, name_bytes_ = 0;
};

}  // namespace

Result<ArDirectory> read_ar_directory(const RandomAccess& file, const ArchiveLimits& limits) {
  AccessStream stream(file);
  ArReader reader(stream, limits);
  if (!reader.begin()) return error(ErrorKind::malformed, "offset 0: not an ar archive");
  ArDirectory directory;
  directory.thin = reader.thin();
  reader.each([&](ArMember member, MemberContent& /*content*/) {
    const std::uint64_t left = file.size() - member.data_offset;
    if (!directory.thin) member.size_bytes = std::min(member.size_bytes, left);
    directory.members.push_back(std::move(member));
    return true;
  });
  directory.problems = reader.problems().take();
  return directory;
}

std::vector<std::string> walk_ar(ByteStream& stream, const MemberVisitor& visit,
                                 const ArchiveLimits& limits) {
  ArReader reader(stream, limits);
  if (!reader.begin()) return {"offset 0: not an ar archive"};
  if (reader.thin()) return {"offset 0: a thin archive; its members are files beside it"};
  reader.each(visit);
  return reader.problems().take();
}

}  // namespace kernelfit
