// SPDX-License-Identifier: Apache-2.0
#include "scan/decode_image.h"

#include <algorithm>

#include "codec/codec.h"
#include "fatbin/cubin.h"
#include "fatbin/cubin_front.h"
#include "fatbin/ptx.h"

namespace kernelfit {
namespace {

// The largest image seen in 73 wheels has 167 MB (docs/fatbin.md).
constexpr std::uint64_t kMaxImage = std::uint64_t{512} << 20;
// One block of zstd: less of a front costs as much.
constexpr std::uint64_t kFirstFront = std::uint64_t{128} << 10;
constexpr std::size_t kMuch = std::size_t{8} << 20;

// An image of more than 2 GB comes as an LZ4 frame under the flag of an LZ4 block.
Codec codec_of(const FatbinEntry& entry, Bytes stored) {
  if (entry.compression == "zstd") return Codec::zstd;
  if (entry.compression != "lz4") return Codec::stored;
  return sniff_codec(stored) == Codec::lz4_frame ? Codec::lz4_frame : Codec::lz4_block;
}

Status readable(const FatbinEntry& entry) {
  if (entry.obfuscated) return error(ErrorKind::unsupported, "the image is obfuscated");
  if (entry.compression == "unknown") {
    return error(ErrorKind::unsupported, "compression is not known");
  }
  return {};
}

template <typename T>
Result<T> at_entry(Result<T> result, const FatbinEntry& entry) {
  if (result) return result;
  return tl::unexpected(std::move(result.error()).in("offset " + std::to_string(entry.offset)));
}

}  // namespace

std::span<std::byte> ReusedBytes::of(std::size_t size, std::size_t keep) {
  if (size > room_) {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(size);
    if (keep > 0) std::copy_n(bytes_.get(), keep, larger.get());
    bytes_ = std::move(larger);
    room_ = size;
  }
  return {bytes_.get(), size};
}

void ReusedBytes::give_back_much() {
  if (room_ <= kMuch) return;
  bytes_.reset();
  room_ = 0;
}

Result<Bytes> ImageDecoder::read_front(const FatbinEntry& entry, const RandomAccess& from,
                                       std::uint64_t payload_at, std::uint64_t count) {
  const std::uint64_t there = from.size() - std::min(from.size(), payload_at);
  const auto size =
      static_cast<std::size_t>(std::min({entry.stored_bytes, there, std::max(count, kFirstFront)}));
  const std::span<std::byte> into = stored_.of(size);
  if (Status status = from.read(payload_at, into); !status) return tl::unexpected(status.error());
  return Bytes(into);
}

Result<Bytes> ImageDecoder::decode_whole(const FatbinEntry& entry, const RandomAccess& from,
                                         std::uint64_t payload_at) {
  if (Status status = readable(entry); !status) return tl::unexpected(status.error());
  KF_TRY(Bytes stored, read_front(entry, from, payload_at, entry.stored_bytes));
  const Codec codec = codec_of(entry, stored);
  if (codec == Codec::stored) return stored;
  if (entry.code_bytes > kMaxImage) {
    return error(ErrorKind::unsupported, "image of " + std::to_string(entry.code_bytes) + " bytes");
  }
  if (!may_decode_to(codec, stored.size(), entry.code_bytes)) {
    return error(ErrorKind::malformed, std::to_string(entry.code_bytes) +
                                           " bytes cannot come from " +
                                           std::to_string(stored.size()));
  }
  const auto code = code_.of(static_cast<std::size_t>(entry.code_bytes));
  KF_TRY(std::size_t got, decode_block_into(codec, stored, code, entry.code_bytes));
  if (got == entry.code_bytes) return Bytes(code);
  return error(ErrorKind::malformed, "decodes to " + std::to_string(got) + " bytes, not " +
                                         std::to_string(entry.code_bytes));
}

// Cubins of more than one step: what is read of them grows until their names are there. Where it
// comes near to the whole, the whole is decoded, and checked by its size.
bool ImageDecoder::told_by_front(const FatbinEntry& entry, const RandomAccess& from,
                                 std::uint64_t payload_at, std::vector<std::string>& kernels) {
  if (entry.arch.kind != GpuArch::Kind::sass || !readable(entry)) return false;
  for (std::uint64_t size = kFirstFront; size < entry.code_bytes / 2; size *= 4) {
    const auto stored = read_front(entry, from, payload_at, size);
    if (!stored) return false;
    Bytes front = *stored;
    if (const Codec codec = codec_of(entry, front); codec != Codec::stored) {
      const auto code = code_.of(static_cast<std::size_t>(size));
      const auto got = decode_front_blocks(codec, front, code);
      if (!got) return false;
      front = Bytes(code).first(*got);
    }
    const FrontAnswer answer = kernels_from_front(front, kernels);
    if (answer != FrontAnswer::needs_more) return answer == FrontAnswer::kernels;
  }
  return false;
}

Result<Bytes> ImageDecoder::decode(const FatbinEntry& entry, const RandomAccess& from,
                                   std::uint64_t payload_at) {
  stored_.give_back_much();
  code_.give_back_much();
  return at_entry(decode_whole(entry, from, payload_at), entry);
}

Result<std::vector<std::string>> ImageDecoder::kernels(const FatbinEntry& entry,
                                                       const RandomAccess& from,
                                                       std::uint64_t payload_at) {
  if (entry.arch.kind == GpuArch::Kind::lto) return kernels_in(entry, {});
  std::vector<std::string> names;
  if (told_by_front(entry, from, payload_at, names)) return names;
  KF_TRY(Bytes image, decode(entry, from, payload_at));
  return kernels_in(entry, image);
}

Result<std::vector<std::string>> ImageDecoder::kernels_in(const FatbinEntry& entry, Bytes image) {
  if (entry.arch.kind == GpuArch::Kind::lto) {
    return error(ErrorKind::unsupported, "LTO-IR names no kernels");
  }
  if (entry.arch.kind == GpuArch::Kind::ptx) {
    KF_TRY(Ptx ptx, at_entry(parse_ptx(as_text(image)), entry));
    return std::move(ptx.kernels);
  }
  KF_TRY(Cubin cubin, at_entry(parse_cubin(image, CubinDetail::kernels), entry));
  return std::move(cubin.kernels);
}

}  // namespace kernelfit
