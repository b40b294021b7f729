// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4.h"

#include <lz4.h>
#include <lz4frame.h>

#include <algorithm>
#include <limits>

#include "codec/decoder.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxInt = std::numeric_limits<int>::max();

const char* chars(Bytes bytes) {
  return reinterpret_cast<const char*>(bytes.data());
}
char* chars(std::span<std::byte> bytes) {
  return reinterpret_cast<char*>(bytes.data());
}

Result<std::size_t> checked(int got) {
  if (got < 0) return error(ErrorKind::malformed, "the LZ4 block is corrupt, or not of the size that is claimed for it");
  return static_cast<std::size_t>(got);
}

class Lz4FrameDecoder : public Decoder {
 public:
  Lz4FrameDecoder() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) {
      context_ = nullptr;
    }
  }
  ~Lz4FrameDecoder() override { LZ4F_freeDecompressionContext(context_); }
  Lz4FrameDecoder(const Lz4FrameDecoder&) = delete;
  Lz4FrameDecoder& operator=(const Lz4FrameDecoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool /*last*/) override {
    if (context_ == nullptr) return {0, 0, false, "no memory", ErrorKind::unsupported};
    DecodeStep step;
    step.taken = in.size();
    step.given = out.size();
    const std::size_t result =
        LZ4F_decompress(context_, out.data(), &step.given, in.data(), &step.taken, nullptr);
    if (LZ4F_isError(result) != 0) return {0, 0, false, LZ4F_getErrorName(result)};
    step.ended = result == 0 && (step.taken > 0 || step.given > 0);
    return step;
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_frame() {
  return std::make_unique<Lz4FrameDecoder>();
}

Result<std::size_t> lz4_whole(Bytes block, std::span<std::byte> into) {
  if (block.size() > kMaxInt || into.size() > kMaxInt) {
    return error(ErrorKind::unsupported, "an LZ4 block of more than 2 GiB");
  }
  return checked(LZ4_decompress_safe(chars(block), chars(into), static_cast<int>(block.size()),
                                     static_cast<int>(into.size())));
}

// liblz4 calls a block corrupt that is cut inside a length: then a little less is given to it. What
// is really corrupt stays so.
Result<std::size_t> lz4_front(Bytes front, std::span<std::byte> into) {
  const auto room = static_cast<int>(std::min(into.size(), kMaxInt));
  const std::size_t size = std::min(front.size(), kMaxInt);
  int got = -1;
  for (const std::size_t less : {0, 16, 64, 1024, 16384}) {
    if (got >= 0 || (less > 0 && less >= size)) break;
    const auto input = static_cast<int>(size - less);
    got = LZ4_decompress_safe_partial(chars(front), chars(into), input, room, room);
  }
  return checked(got);
}

}  // namespace kernelfit
