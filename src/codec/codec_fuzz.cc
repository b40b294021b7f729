// SPDX-License-Identifier: Apache-2.0
// The first byte chooses the codec, the second how the data comes and goes in pieces. What ISA-L
// makes of deflate, zlib must make of it too.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "codec/codec.h"
#include "codec/decoder.h"

namespace {

using namespace kernelfit;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 16;

class Pieces : public ByteStream {
 public:
  Pieces(Bytes bytes, std::size_t step) : bytes_(bytes), step_(step) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t count = std::min({into.size(), step_, bytes_.size()});
    std::copy_n(bytes_.begin(), count, into.begin());
    bytes_ = bytes_.subspan(count);
    return count;
  }

 private:
  Bytes bytes_;
  std::size_t step_;
};

void check(bool right) {
  if (!right) std::abort();
}

void stream(Codec codec, Bytes bytes, std::size_t step) {
  auto decoded = decode(codec, std::make_unique<Pieces>(bytes, step), kLimit);
  std::vector<std::byte> piece(step * 3 + 13);
  std::uint64_t total = 0;
  for (;;) {
    auto got = decoded->read(piece);
    if (!got || *got == 0) break;
    total += *got;
  }
  check(total <= kLimit);
  check(decoded->read(piece).value_or(1) == 0);
}

// One member, in one piece.
struct Outcome {
  std::vector<std::byte> out = std::vector<std::byte>(1 << 14);
  std::size_t given = 0;
  bool ended = false, full = false;
};
Outcome run(Decoder& decoder, Bytes in) {
  Outcome o;
  for (;;) {
    const DecodeStep step = decoder.step(in, std::span(o.out).subspan(o.given), true);
    in = in.subspan(step.taken);
    o.given += step.given;
    o.ended = step.ended;
    o.full = o.given == o.out.size();
    const bool still = step.taken == 0 && step.given == 0;
    if (!step.fault.empty() || step.ended || o.full || still) return o;
  }
}

void compare(Codec codec, Bytes bytes) {
  const Outcome fast = run(*make_deflate(codec), bytes);
  const Outcome slow = run(*make_deflate_zlib(codec), bytes);
  if (fast.full || slow.full || !slow.ended) return;
  check(fast.ended && fast.given == slow.given &&
        std::equal(fast.out.begin(), fast.out.begin() + static_cast<std::ptrdiff_t>(fast.given),
                   slow.out.begin()));
}

// LZ4 as its block format says, and nothing clever. liblz4 takes matches of distance 0, which are
// not valid, and makes of them what it likes: those are not compared.
std::optional<std::vector<std::byte>> plain_lz4(Bytes in) {
  std::vector<std::byte> out;
  std::size_t at = 0;
  const auto next = [&] { return at < in.size() ? std::to_integer<std::size_t>(in[at++]) : 0; };
  const auto length = [&](std::size_t nibble) {
    std::size_t value = nibble, byte = 255;
    while (nibble == 15 && byte == 255) value += byte = next();
    return value;
  };
  while (at < in.size() && out.size() < kLimit) {
    const std::size_t token = next();
    const std::size_t literals = length(token >> 4);
    if (literals > in.size() - at) return std::nullopt;
    const Bytes text = in.subspan(at, literals);
    out.insert(out.end(), text.begin(), text.end());
    at += literals;
    if (at == in.size()) return out;
    std::size_t distance = next();
    distance |= next() << 8;
    std::size_t count = length(token & 15) + 4;
    if (distance == 0 || distance > out.size() || count > kLimit) return std::nullopt;
    for (; count > 0; --count) out.push_back(out[out.size() - distance]);
  }
  return std::nullopt;
}

void block(Codec codec, Bytes bytes, std::uint64_t wanted) {
  auto whole = decode_block(codec, bytes, kLimit, wanted);
  auto part = decode_block(codec, bytes, wanted / 2, wanted);
  check(!whole || whole->size() == std::min(wanted, kLimit));
  check(!part || part->size() == wanted / 2);
  if (!whole || !part) return;
  const auto plain = codec == Codec::lz4_block ? plain_lz4(bytes) : std::optional(*whole);
  if (!plain) return;
  check(*plain == *whole);
  check(std::equal(part->begin(), part->end(), whole->begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(2);
  const std::size_t step = data[1] == 0 ? 1 << 16 : data[1];
  constexpr Codec kStreams[] = {Codec::deflate, Codec::gzip,  Codec::zlib,      Codec::zstd,
                                Codec::xz,      Codec::bzip2, Codec::lz4_frame, Codec::zip_lzma};
  const unsigned choice = data[0] % 12;
  if (choice < 8) {
    stream(kStreams[choice], bytes, step);
    if (choice < 3) compare(kStreams[choice], bytes);
  } else {
    block(choice % 2 == 0 ? Codec::lz4_block : Codec::zstd, bytes, data[1] * std::uint64_t{64});
  }
  return 0;
}
