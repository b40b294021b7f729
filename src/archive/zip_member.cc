// SPDX-License-Identifier: Apache-2.0
// One member of a zip: where its bytes are, and what they unpack to.
#include <algorithm>
#include <utility>

#include "archive/archive.h"
#include "archive/names.h"
#include "archive/zip_names.h"
#include "archive/zip_records.h"
#include "codec/codec.h"

namespace kernelfit {
namespace {

constexpr unsigned kUtf8 = 1U << 11;

std::string at_offset(std::uint64_t offset) {
  return "offset " + std::to_string(offset) + ": ";
}

std::optional<Codec> codec_of(int method) {
  switch (method) {
    case 0: return Codec::stored;
    case 8: return Codec::deflate;
    case 12: return Codec::bzip2;
    case 14: return Codec::zip_lzma;
    case 93: return Codec::zstd;
    case 95: return Codec::xz;
    default: return std::nullopt;
  }
}

// LZMA in a zip need not say where it ends: the member's size does.
class FirstBytes : public ByteStream {
 public:
  FirstBytes(std::unique_ptr<ByteStream> from, std::uint64_t size)
      : from_(std::move(from)), left_(size) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
    if (want == 0) return std::size_t{0};
    KF_TRY(const std::size_t got, from_->read(into.first(want)));
    left_ -= got;
    return got;
  }

 private:
  std::unique_ptr<ByteStream> from_;
  std::uint64_t left_;
};

// What the codec gives, held against the size and the checksum of the directory.
class MemberStream : public ByteStream {
 public:
  MemberStream(std::unique_ptr<ByteStream> from, const ZipMember& member)
      : from_(std::move(from)),
        name_(quoted_name(member.name)),
        left_(member.size_bytes),
        size_(member.size_bytes),
        at_(member.offset),
        crc_(member.crc32) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    if (done_ || into.empty()) return std::size_t{0};
    auto got = from_->read(into);
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return finish();
    if (*got > left_) {
      return fail({ErrorKind::malformed,
                   "unpacks to more than the " + std::to_string(size_) + " bytes it claims",
                   {}});
    }
    left_ -= *got;
    seen_ = crc32_update(seen_, into.first(*got));
    return got;
  }

 private:
  Result<std::size_t> finish() {
    done_ = true;
    if (left_ > 0) {
      return fail({ErrorKind::truncated,
                   "unpacks to " + std::to_string(size_ - left_) + " bytes, and claims " +
                       std::to_string(size_),
                   {}});
    }
    if (seen_ != crc_) return fail({ErrorKind::malformed, "does not match its checksum", {}});
    return std::size_t{0};
  }
  tl::unexpected<Error> fail(Error problem) {
    done_ = true;
    return tl::unexpected(
        std::move(problem).in("member " + name_).in("offset " + std::to_string(at_)));
  }

  std::unique_ptr<ByteStream> from_;
  std::string name_;
  std::uint64_t left_, size_, at_;
  std::uint32_t crc_, seen_ = 0;
  bool done_ = false;
};

// A member's header and its name in one read: over a network each is a request. A name that is
// longer than that of the directory is another one, and need not be read.
Result<std::vector<std::byte>> read_front(const RandomAccess& file, const ZipMember& member) {
  const std::uint64_t left = file.size() - std::min(member.offset, file.size());
  std::vector<std::byte> front(static_cast<std::size_t>(
      std::min<std::uint64_t>(left, sizeof(ZipLocalHeader) + member.name.size())));
  if (Status status = file.read(member.offset, front); !status) {
    return tl::unexpected(std::move(status.error()).in("member " + quoted_name(member.name)));
  }
  return front;
}

std::string utf8_name(const ZipLocalHeader& header, std::string_view raw) {
  return zip_name(raw, (header.flags & kUtf8) != 0);
}

}  // namespace

Status can_open(const ZipMember& member) {
  const std::string name = "member " + quoted_name(member.name);
  if (member.encrypted) return error(ErrorKind::unsupported, name + " is encrypted");
  if (codec_of(member.method_number)) return {};
  return error(ErrorKind::unsupported,
               name + " is packed by " + member.method + ", which is not read");
}

std::unique_ptr<ByteStream> unpack_member(std::unique_ptr<ByteStream> packed,
                                          const ZipMember& member, const ArchiveLimits& limits) {
  // Some writers call nothing deflated that is not even an empty block.
  const bool nothing = member.packed_bytes == 0 && member.size_bytes == 0;
  const Codec codec = nothing ? Codec::stored : *codec_of(member.method_number);
  auto plain = decode(codec, std::move(packed), limits.unpacked_bytes);
  if (codec == Codec::zip_lzma) {
    plain = std::make_unique<FirstBytes>(std::move(plain), member.size_bytes);
  }
  return std::make_unique<MemberStream>(std::move(plain), member);
}

Result<std::uint64_t> member_data_offset(const RandomAccess& file, const ZipMember& member) {
  const std::string what = "member " + quoted_name(member.name);
  KF_TRY(auto front, read_front(file, member));
  const auto header = read_at<ZipLocalHeader>(Bytes(front), 0);
  if (!header || header->signature != kZipLocal) {
    return error(ErrorKind::malformed, at_offset(member.offset) + what + " does not begin here");
  }
  const std::string_view name =
      as_text(Bytes(front).subspan(sizeof(ZipLocalHeader))).substr(0, header->name_size);
  if (name.size() < header->name_size || utf8_name(*header, name) != member.name) {
    return error(ErrorKind::malformed, at_offset(member.offset) + what + " is named " +
                                           quoted_name(name) + " where it begins");
  }
  const std::uint64_t data_at =
      member.offset + sizeof(ZipLocalHeader) + header->name_size + header->extra_size;
  if (data_at <= file.size() && member.packed_bytes <= file.size() - data_at) return data_at;
  return error(ErrorKind::truncated, at_offset(data_at) + what + " of " +
                                         std::to_string(member.packed_bytes) +
                                         " bytes reaches past the end of the file");
}

Result<std::unique_ptr<RandomAccess>> open_stored(const RandomAccess& file,
                                                  const ZipMember& member) {
  if (Status status = can_open(member); !status) return tl::unexpected(status.error());
  if (member.method_number != 0) {
    return error(ErrorKind::usage, "member " + quoted_name(member.name) + " is not stored");
  }
  KF_TRY(std::uint64_t data_at, member_data_offset(file, member));
  return std::make_unique<WindowAccess>(file, data_at, member.packed_bytes);
}

Status check_stored(const RandomAccess& content, const ZipMember& member) {
  constexpr std::uint64_t kWorthIt = std::uint64_t{1} << 30;
  if (content.size() > kWorthIt) return {};
  MemberStream checked(std::make_unique<AccessStream>(content), member);
  std::vector<std::byte> part(std::size_t{256} << 10);
  for (;;) {
    KF_TRY(const std::size_t got, checked.read(part));
    if (got == 0) return {};
  }
}

Result<std::unique_ptr<ByteStream>> open_member(const RandomAccess& file, const ZipMember& member,
                                                const ArchiveLimits& limits) {
  if (Status status = can_open(member); !status) return tl::unexpected(status.error());
  KF_TRY(std::uint64_t data_at, member_data_offset(file, member));
  auto packed = std::make_unique<AccessStream>(file, data_at, member.packed_bytes);
  return unpack_member(std::move(packed), member, limits);
}

}  // namespace kernelfit
