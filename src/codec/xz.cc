// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>

#include "codec/decoder.h"

namespace kernelfit {
namespace {

// What `xz -9` needs (65 MiB), and a little more.
constexpr std::uint64_t kMaxMemory = std::uint64_t{80} << 20;

std::string fault_of(lzma_ret result) {
  switch (result) {
    case LZMA_OK:
    case LZMA_STREAM_END:
    case LZMA_BUF_ERROR: return "";  // BUF_ERROR: needs more input
    case LZMA_MEMLIMIT_ERROR: return "needs more than 80 MiB of memory";
    case LZMA_MEM_ERROR: return "no memory";
    case LZMA_FORMAT_ERROR: return "is no xz stream";
    case LZMA_OPTIONS_ERROR: return "uses an unknown filter";
    default: return "is corrupt";
  }
}

class XzDecoder : public Decoder {
 public:
  XzDecoder() { started_ = lzma_stream_decoder(&stream_, kMaxMemory, LZMA_CONCATENATED); }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool last) override {
    if (started_ != LZMA_OK) return {0, 0, false, "no memory", ErrorKind::unsupported};
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret result = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    DecodeStep step{in.size() - stream_.avail_in, out.size() - stream_.avail_out, false,
                    fault_of(result), ErrorKind::malformed};
    step.ended = result == LZMA_STREAM_END;
    if (result == LZMA_MEMLIMIT_ERROR || result == LZMA_MEM_ERROR || result == LZMA_OPTIONS_ERROR) {
      step.kind = ErrorKind::unsupported;
    }
    return step;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret started_;
};

}  // namespace

std::unique_ptr<Decoder> make_xz() {
  return std::make_unique<XzDecoder>();
}

}  // namespace kernelfit
