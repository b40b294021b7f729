// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>

#include <algorithm>
#include <array>
#include <cstdlib>

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

DecodeStep code(lzma_stream& stream, Bytes in, std::span<std::byte> out, bool last) {
  stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
  stream.avail_in = in.size();
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = out.size();
  const lzma_ret result = lzma_code(&stream, last ? LZMA_FINISH : LZMA_RUN);
  DecodeStep step{in.size() - stream.avail_in, out.size() - stream.avail_out, false,
                  fault_of(result), ErrorKind::malformed};
  step.ended = result == LZMA_STREAM_END;
  if (result == LZMA_MEMLIMIT_ERROR || result == LZMA_MEM_ERROR || result == LZMA_OPTIONS_ERROR) {
    step.kind = ErrorKind::unsupported;
  }
  return step;
}

class XzDecoder : public Decoder {
 public:
  XzDecoder() { started_ = lzma_stream_decoder(&stream_, kMaxMemory, LZMA_CONCATENATED); }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool last) override {
    if (started_ != LZMA_OK) return {0, 0, false, "no memory", ErrorKind::unsupported};
    return code(stream_, in, out, last);
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret started_;
};

// APPNOTE 5.8.8: the version of the writer, the size of the properties, the properties, and then
// LZMA without an end that can be relied on: what is behind the member's size is nobody's.
class ZipLzmaDecoder : public Decoder {
 public:
  ZipLzmaDecoder() = default;
  ~ZipLzmaDecoder() override { lzma_end(&stream_); }
  ZipLzmaDecoder(const ZipLzmaDecoder&) = delete;
  ZipLzmaDecoder& operator=(const ZipLzmaDecoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool last) override {
    if (started_) {
      DecodeStep step = code(stream_, in, out, last);
      const bool nothing = step.taken == 0 && step.given == 0 && step.fault.empty();
      if (last && nothing) step.ended = true;
      return step;
    }
    const std::size_t count = std::min(in.size(), head_.size() - have_);
    std::copy_n(in.begin(), count, head_.begin() + static_cast<std::ptrdiff_t>(have_));
    have_ += count;
    DecodeStep step{count, 0, false, {}, ErrorKind::malformed};
    if (have_ == head_.size()) start(step);
    return step;
  }

 private:
  static constexpr std::size_t kProperties = 5;

  void start(DecodeStep& step) {
    started_ = true;
    const auto* head = reinterpret_cast<const std::uint8_t*>(head_.data());
    lzma_filter filters[2] = {{LZMA_FILTER_LZMA1, nullptr}, {LZMA_VLI_UNKNOWN, nullptr}};
    const bool good = head[2] == kProperties && head[3] == 0 &&
                      lzma_properties_decode(filters, nullptr, head + 4, kProperties) == LZMA_OK;
    if (!good) {
      step.fault = "has properties that cannot be";
      return;
    }
    const bool large = lzma_raw_decoder_memusage(filters) > kMaxMemory;
    const lzma_ret result = large ? LZMA_MEMLIMIT_ERROR : lzma_raw_decoder(&stream_, filters);
    std::free(filters[0].options);
    step.fault = fault_of(result);
    if (!step.fault.empty()) step.kind = ErrorKind::unsupported;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<std::byte, 4 + kProperties> head_{};
  std::size_t have_ = 0;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_zip_lzma() {
  return std::make_unique<ZipLzmaDecoder>();
}

std::unique_ptr<Decoder> make_xz() {
  return std::make_unique<XzDecoder>();
}

}  // namespace kernelfit
