// SPDX-License-Identifier: Apache-2.0
// One compressed image in memory, whole or its front.
#include <algorithm>

#include "codec/codec.h"
#include "codec/decoder.h"
#include "codec/lz4.h"
#include "codec/zstd.h"

namespace kernelfit {
namespace {

// More than a codec can make of one compressed byte: a claim beyond it is not believed, and no
// memory is taken for it. An LZ4 length byte stands for 255 bytes; a zstd block of 4 bytes for
// 128 KiB at most.
std::uint64_t most_from(Codec codec, std::uint64_t compressed) {
  const std::uint64_t ratio = codec == Codec::stored                                   ? 1
                              : codec == Codec::lz4_block || codec == Codec::lz4_frame ? 256
                                                                                       : 32768;
  constexpr std::uint64_t kSlack = 131'072;
  return codec == Codec::stored ? compressed : compressed * ratio + kSlack;
}

Result<std::size_t> front_by(Decoder& decoder, Bytes front, std::span<std::byte> into) {
  std::size_t taken = 0, given = 0;
  while (given < into.size()) {
    const DecodeStep step = decoder.step(front.subspan(taken), into.subspan(given), true);
    taken += step.taken;
    given += step.given;
    if (!step.fault.empty()) return error(step.kind, step.fault);
    if (step.ended || (step.taken == 0 && step.given == 0)) break;
  }
  return given;
}

Result<std::size_t> copy(Bytes from, std::span<std::byte> into) {
  const std::size_t count = std::min(from.size(), into.size());
  std::copy_n(from.begin(), count, into.begin());
  return count;
}

Result<std::size_t> whole_into(Codec codec, Bytes compressed, std::span<std::byte> into) {
  if (codec == Codec::lz4_block) return lz4_whole(compressed, into);
  if (codec == Codec::zstd) return zstd_whole(compressed, into);
  return decode_front_into(codec, compressed, into);
}

}  // namespace

Result<std::size_t> decode_front_into(Codec codec, Bytes front, std::span<std::byte> into) {
  switch (codec) {
    case Codec::stored: return copy(front, into);
    case Codec::lz4_block: return lz4_front(front, into);
    case Codec::zstd: return zstd_front(front, into);
    case Codec::lz4_frame: return front_by(*make_lz4_frame(), front, into);
    default:
      return error(ErrorKind::unsupported,
                   "no image is compressed by " + std::string(codec_name(codec)));
  }
}

Result<std::size_t> decode_front_blocks(Codec codec, Bytes front, std::span<std::byte> into) {
  if (codec == Codec::zstd) return zstd_front_blocks(front, into);
  return decode_front_into(codec, front, into);
}

Result<std::size_t> decode_block_into(Codec codec, Bytes compressed, std::span<std::byte> into,
                                      std::uint64_t exact_bytes) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), exact_bytes));
  const bool whole = wanted == exact_bytes;
  auto got = whole ? whole_into(codec, compressed, into.first(wanted))
                   : decode_front_into(codec, compressed, into.first(wanted));
  if (got && *got < wanted) {
    return error(ErrorKind::malformed, "unpacks to " + std::to_string(*got) + " bytes, not " +
                                           std::to_string(exact_bytes));
  }
  return got;
}

bool may_decode_to(Codec codec, std::uint64_t compressed_bytes, std::uint64_t exact_bytes) {
  return exact_bytes <= most_from(codec, compressed_bytes);
}

Result<std::vector<std::byte>> decode_block(Codec codec, Bytes compressed,
                                            std::uint64_t wanted_bytes, std::uint64_t exact_bytes) {
  const std::uint64_t size = std::min(wanted_bytes, exact_bytes);
  if (!may_decode_to(codec, compressed.size(), size)) {
    return error(ErrorKind::malformed, std::to_string(exact_bytes) + " bytes cannot come from " +
                                           std::to_string(compressed.size()));
  }
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  KF_TRY(std::size_t got, decode_block_into(codec, compressed, out, exact_bytes));
  out.resize(got);
  return out;
}

}  // namespace kernelfit
