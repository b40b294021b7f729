// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include <algorithm>
#include <limits>

#include "codec/decoder.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxPiece = std::numeric_limits<unsigned>::max() / 2;

class Bzip2Decoder : public Decoder {
 public:
  ~Bzip2Decoder() override { finish(); }
  Bzip2Decoder() = default;
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool /*last*/) override {
    if (!started_ && BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
      return {0, 0, false, "no memory", ErrorKind::unsupported};
    }
    started_ = true;
    const std::size_t input = std::min(in.size(), kMaxPiece);
    const std::size_t room = std::min(out.size(), kMaxPiece);
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = static_cast<unsigned>(input);
    stream_.next_out = reinterpret_cast<char*>(out.data());
    stream_.avail_out = static_cast<unsigned>(room);
    const int result = BZ2_bzDecompress(&stream_);
    DecodeStep step{input - stream_.avail_in,
                    room - stream_.avail_out,
                    result == BZ_STREAM_END,
                    {},
                    ErrorKind::malformed};
    if (step.ended) finish();
    if (result == BZ_DATA_ERROR_MAGIC) step.fault = "is no bzip2 stream";
    if (result == BZ_DATA_ERROR) step.fault = "is corrupt";
    if (result == BZ_MEM_ERROR) step.fault = "no memory", step.kind = ErrorKind::unsupported;
    return step;
  }

 private:
  void finish() {
    if (started_) BZ2_bzDecompressEnd(&stream_);
    started_ = false;
    stream_ = {};
  }
  bz_stream stream_{};
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_bzip2() {
  return std::make_unique<Bzip2Decoder>();
}

}  // namespace kernelfit
