// SPDX-License-Identifier: Apache-2.0
// Deflate by ISA-L where it is there, by zlib elsewhere. Measured by bench/inflate.cc, processor
// time, one thread, MB/s of what comes out:
//
//                              ISA-L in pieces of 64 KiB    and CRC-32   zlib   libdeflate, whole
//   libcublasLt.so.13   542 MB              927                 916      516        1039
//   a bitsandbytes       21 MB              970                 957      405        1067
//
// libdeflate needs the member in memory, packed and plain, for some 10 %: not taken.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "codec/decoder.h"
#if KF_HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

namespace kernelfit {
namespace {

constexpr std::size_t kMaxPiece = std::numeric_limits<unsigned>::max() / 2;

// The libraries take pointers to what they will not change.
template <typename T>
T* in_pointer(Bytes in) {
  return reinterpret_cast<T*>(const_cast<std::byte*>(in.data()));
}
template <typename T>
T* out_pointer(std::span<std::byte> out) {
  return reinterpret_cast<T*>(out.data());
}

class ZlibDecoder : public Decoder {
 public:
  explicit ZlibDecoder(Codec codec) {
    const int bits = codec == Codec::gzip ? 15 + 16 : codec == Codec::zlib ? 15 : -15;
    ready_ = inflateInit2(&z_, bits) == Z_OK;
  }
  ~ZlibDecoder() override {
    if (ready_) inflateEnd(&z_);
  }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  DecodeStep step(Bytes in, std::span<std::byte> out, bool /*last*/) override {
    DecodeStep step;
    if (!ready_) return {0, 0, false, "no memory", ErrorKind::unsupported};
    z_.next_in = in_pointer<Bytef>(in);
    z_.avail_in = static_cast<uInt>(std::min(in.size(), kMaxPiece));
    z_.next_out = out_pointer<Bytef>(out);
    z_.avail_out = static_cast<uInt>(std::min(out.size(), kMaxPiece));
    const int result = inflate(&z_, Z_NO_FLUSH);
    step.taken = static_cast<std::size_t>(z_.next_in - in_pointer<Bytef>(in));
    step.given = static_cast<std::size_t>(z_.next_out - out_pointer<Bytef>(out));
    step.ended = result == Z_STREAM_END;
    if (step.ended) inflateReset(&z_);
    if (result == Z_NEED_DICT) step.fault = "needs a dictionary";
    if (result < 0 && result != Z_BUF_ERROR) step.fault = z_.msg != nullptr ? z_.msg : "is corrupt";
    return step;
  }

 private:
  z_stream z_{};
  bool ready_ = false;
};

#if KF_HAVE_ISAL
std::string isal_fault(int result) {
  switch (result) {
    case ISAL_NEED_DICT: return "needs a dictionary";
    case ISAL_INVALID_BLOCK: return "invalid block";
    case ISAL_INVALID_SYMBOL: return "invalid symbol";
    case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
    case ISAL_INVALID_WRAPPER: return "invalid header";
    case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM: return "does not match its checksum";
    default: return result == ISAL_DECOMP_OK ? "" : "is corrupt";
  }
}

class IsalDecoder : public Decoder {
 public:
  explicit IsalDecoder(Codec codec)
      : flag_(codec == Codec::gzip   ? ISAL_GZIP
              : codec == Codec::zlib ? ISAL_ZLIB
                                     : ISAL_DEFLATE) {
    isal_inflate_init(&state_);
    state_.crc_flag = flag_;
  }

  DecodeStep step(Bytes in, std::span<std::byte> out, bool /*last*/) override {
    DecodeStep step;
    state_.next_in = in_pointer<std::uint8_t>(in);
    state_.avail_in = static_cast<std::uint32_t>(std::min(in.size(), kMaxPiece));
    state_.next_out = out_pointer<std::uint8_t>(out);
    state_.avail_out = static_cast<std::uint32_t>(std::min(out.size(), kMaxPiece));
    const int result = isal_inflate(&state_);
    step.taken = static_cast<std::size_t>(state_.next_in - in_pointer<std::uint8_t>(in));
    step.given = static_cast<std::size_t>(state_.next_out - out_pointer<std::uint8_t>(out));
    step.fault = isal_fault(result);
    step.ended = step.fault.empty() && state_.block_state == ISAL_BLOCK_FINISH;
    if (step.ended) {
      isal_inflate_reset(&state_);
      state_.crc_flag = flag_;
    }
    return step;
  }

 private:
  std::uint32_t flag_;
  inflate_state state_;
};

// ISA-L 2.30 miscounts the checksum of a gzip header (FHCRC) that comes in pieces. Hardly anybody
// writes one: zlib reads those members.
class GzipDecoder : public Decoder {
 public:
  DecodeStep step(Bytes in, std::span<std::byte> out, bool last) override {
    if (member_ == nullptr) return begin(in);
    DecodeStep step;
    if (head_fed_ < head_.size()) {
      step = member_->step(Bytes(head_).subspan(head_fed_), out, false);
      head_fed_ += step.taken;
      step.taken = 0;
      if (!step.fault.empty() || step.given > 0) return step;
    }
    step = member_->step(in, out, last);
    if (step.ended) member_ = nullptr, head_.clear();
    return step;
  }

 private:
  static constexpr std::size_t kFlagsAt = 3;
  static constexpr std::byte kHeaderChecksum{2};

  DecodeStep begin(Bytes in) {
    DecodeStep step;
    while (head_.size() <= kFlagsAt && step.taken < in.size()) head_.push_back(in[step.taken++]);
    if (head_.size() <= kFlagsAt) return step;
    head_fed_ = 0;
    const bool checked = (head_[kFlagsAt] & kHeaderChecksum) != std::byte{0};
    member_ = checked ? &slow() : &fast_;
    return step;
  }
  Decoder& slow() {
    if (!slow_) slow_ = std::make_unique<ZlibDecoder>(Codec::gzip);
    return *slow_;
  }

  IsalDecoder fast_{Codec::gzip};
  std::unique_ptr<Decoder> slow_;
  Decoder* member_ = nullptr;  // who reads this member; nothing until its flags are there
  std::vector<std::byte> head_;
  std::size_t head_fed_ = 0;
};
#endif

}  // namespace

std::unique_ptr<Decoder> make_deflate_zlib(Codec codec) {
  return std::make_unique<ZlibDecoder>(codec);
}

#if KF_HAVE_ISAL
std::unique_ptr<Decoder> make_deflate(Codec codec) {
  if (codec == Codec::gzip) return std::make_unique<GzipDecoder>();
  return std::make_unique<IsalDecoder>(codec);
}

std::uint32_t crc32_update(std::uint32_t before, Bytes bytes) {
  return crc32_gzip_refl(before, in_pointer<std::uint8_t>(bytes), bytes.size());
}
#else
std::unique_ptr<Decoder> make_deflate(Codec codec) {
  return make_deflate_zlib(codec);
}

std::uint32_t crc32_update(std::uint32_t before, Bytes bytes) {
  return static_cast<std::uint32_t>(crc32_z(before, in_pointer<Bytef>(bytes), bytes.size()));
}
#endif

}  // namespace kernelfit
