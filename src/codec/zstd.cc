// SPDX-License-Identifier: Apache-2.0
#include "codec/zstd.h"

#define ZSTD_STATIC_LINKING_ONLY  // block by block, without a window beside the output
#include <zstd.h>
#include <zstd_errors.h>

#include <string>
#include <string_view>

#include "codec/decoder.h"

namespace kernelfit {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, FreeContext>;

ErrorKind kind_of(std::size_t code) {
  const std::string_view name = ZSTD_getErrorName(code);
  const bool large = name.find("memory") != std::string_view::npos;  // the window, or none is left
  return large ? ErrorKind::unsupported : ErrorKind::malformed;
}

DecodeStep step_with(ZSTD_DCtx* context, Bytes in, std::span<std::byte> out) {
  ZSTD_inBuffer from{in.data(), in.size(), 0};
  ZSTD_outBuffer into{out.data(), out.size(), 0};
  const std::size_t result = ZSTD_decompressStream(context, &into, &from);
  DecodeStep step{from.pos, into.pos, false, {}, ErrorKind::malformed};
  if (ZSTD_isError(result) != 0) {
    step.fault = ZSTD_getErrorName(result);
    step.kind = kind_of(result);
  }
  step.ended = step.fault.empty() && result == 0;
  return step;
}

// Debian's libzstd also reads the formats from before 1.0, by decoders that nobody looks after.
// Only today's frames, and those to be skipped, are handed to it. `bytes` may be the front of a
// magic.
bool may_be_frame(std::string_view bytes) {
  using namespace std::string_view_literals;
  const std::string_view front = bytes.substr(0, 4);
  if (front.empty()) return true;
  if ("\x28\xb5\x2f\xfd"sv.starts_with(front)) return true;
  return (front[0] & 0xf0) == 0x50 && "\x2a\x4d\x18"sv.starts_with(front.substr(1));
}

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {}
  DecodeStep step(Bytes in, std::span<std::byte> out, bool /*last*/) override {
    if (!context_) return {0, 0, false, "no memory", ErrorKind::unsupported};
    if (magic_.size() < 4) {
      magic_ += as_text(in).substr(0, 4 - magic_.size());
      if (!may_be_frame(magic_)) return {0, 0, false, "is no zstd frame"};
    }
    DecodeStep step = step_with(context_.get(), in, out);
    if (step.ended) magic_.clear();
    return step;
  }

 private:
  Context context_;
  std::string magic_;  // of this frame, as far as it was seen
};

// One per thread: making one for each of 15,000 images would cost more than decoding them.
ZSTD_DCtx* context_of_thread() {
  thread_local Context context(ZSTD_createDCtx());
  return context.get();
}

}  // namespace

std::unique_ptr<Decoder> make_zstd() {
  return std::make_unique<ZstdDecoder>();
}

Result<std::size_t> zstd_whole(Bytes frame, std::span<std::byte> into) {
  ZSTD_DCtx* context = context_of_thread();
  if (context == nullptr) return error(ErrorKind::unsupported, "no memory");
  if (!may_be_frame(as_text(frame))) return error(ErrorKind::malformed, "is no zstd frame");
  const std::size_t size = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (ZSTD_isError(size) != 0) return error(kind_of(size), ZSTD_getErrorName(size));
  if (size != frame.size()) return error(ErrorKind::malformed, "other data behind the zstd frame");
  const std::size_t got =
      ZSTD_decompressDCtx(context, into.data(), into.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0) return error(kind_of(got), ZSTD_getErrorName(got));
  return got;
}

Result<std::size_t> zstd_front(Bytes front, std::span<std::byte> into) {
  ZSTD_DCtx* context = context_of_thread();
  if (context == nullptr) return error(ErrorKind::unsupported, "no memory");
  if (!may_be_frame(as_text(front))) return error(ErrorKind::malformed, "is no zstd frame");
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  std::size_t taken = 0, given = 0;
  while (given < into.size()) {
    const DecodeStep step = step_with(context, front.subspan(taken), into.subspan(given));
    taken += step.taken;
    given += step.given;
    if (!step.fault.empty()) return error(step.kind, step.fault);
    if (step.ended || (step.taken == 0 && step.given == 0)) break;
  }
  return given;
}

Result<std::size_t> zstd_front_blocks(Bytes front, std::span<std::byte> into) {
  ZSTD_DCtx* context = context_of_thread();
  if (context == nullptr) return error(ErrorKind::unsupported, "no memory");
  std::size_t taken = 0, given = 0;
  ZSTD_decompressBegin(context);
  for (;;) {
    const std::size_t need = ZSTD_nextSrcSizeToDecompress(context);
    if (need == 0 || need > front.size() - taken) return given;
    const std::size_t got = ZSTD_decompressContinue(
        context, into.data() + given, into.size() - given, front.data() + taken, need);
    if (ZSTD_getErrorCode(got) == ZSTD_error_dstSize_tooSmall) return given;
    if (ZSTD_isError(got) != 0) return error(kind_of(got), ZSTD_getErrorName(got));
    taken += need;
    given += got;
  }
}

}  // namespace kernelfit
