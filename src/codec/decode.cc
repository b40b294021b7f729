// SPDX-License-Identifier: Apache-2.0
// A decoder over a stream: input is fetched in pieces, members that follow one another are joined,
// output is counted against the limit.
#include <algorithm>
#include <optional>
#include <utility>

#include "codec/codec.h"
#include "codec/decoder.h"

namespace kernelfit {
namespace {

constexpr std::size_t kInput = std::size_t{128} << 10;
constexpr std::size_t kMagic = 10;  // as many bytes as sniff_codec looks at

// liblzma joins xz streams by itself; raw deflate and zlib have nothing to tell a next one by.
bool is_joined(Codec codec) {
  return codec == Codec::gzip || codec == Codec::zstd || codec == Codec::bzip2 ||
         codec == Codec::lz4_frame;
}

// Skippable frames of LZ4 have the magics of zstd's.
bool begins_member(Codec codec, Bytes bytes) {
  const Codec found = sniff_codec(bytes);
  return found == codec || (codec == Codec::lz4_frame && found == Codec::zstd);
}

class DecodedStream : public ByteStream {
 public:
  DecodedStream(Codec codec, std::unique_ptr<Decoder> decoder, std::unique_ptr<ByteStream> from,
                std::uint64_t limit)
      : codec_(codec), decoder_(std::move(decoder)), from_(std::move(from)), limit_(limit) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    if (into.empty()) return std::size_t{0};
    while (!done_) {
      if (pending_) return fail(*std::exchange(pending_, std::nullopt));
      if (Status status = fill(); !status) return fail(std::move(status.error()));
      if (between_ && !next_member()) continue;
      DecodeStep step = decoder_->step(rest(), into, source_ended_);
      at_ += step.taken;
      offset_ += step.taken;
      between_ = step.ended;
      if (auto problem = check(step)) pending_ = std::move(problem);
      if (step.given > 0 && step.given <= limit_ - given_) {
        given_ += step.given;
        return step.given;
      }
      if (step.given > 0) return fail(bomb());
    }
    return std::size_t{0};
  }

 private:
  Bytes rest() const { return {input_.get() + at_, end_ - at_}; }

  // At least one byte more to look at, or the source's end; before another member its magic.
  Status fill() {
    const std::size_t enough = between_ ? kMagic : 1;
    if (!input_) input_ = std::make_unique_for_overwrite<std::byte[]>(kInput);
    while ((end_ - at_ < enough || starving_) && !source_ended_) {
      std::memmove(input_.get(), input_.get() + at_, end_ - at_);
      end_ -= at_;
      at_ = 0;
      KF_TRY(std::size_t got, from_->read(std::span(input_.get() + end_, kInput - end_)));
      if (got == 0) source_ended_ = true;
      end_ += got;
      starving_ = false;
    }
    return {};
  }

  // True where another member begins; else the stream is done, or zeros were passed over.
  bool next_member() {
    if (!is_joined(codec_) || at_ == end_) {
      done_ = true;
    } else if (begins_member(codec_, rest())) {
      return true;
    } else if (input_[at_] == std::byte{0}) {
      while (at_ < end_ && input_[at_] == std::byte{0}) ++at_, ++offset_;
    } else {
      pending_ = Error{ErrorKind::malformed, "other data behind the end", {}};
    }
    return false;
  }

  std::optional<Error> check(const DecodeStep& step) {
    if (!step.fault.empty()) return Error{step.kind, step.fault, {}};
    if (step.taken > 0 || step.given > 0 || step.ended) return std::nullopt;
    if (!source_ended_ && end_ - at_ < kInput) {
      starving_ = true;
      return std::nullopt;
    }
    if (source_ended_) return Error{ErrorKind::truncated, "ends in the middle", {}};
    return Error{ErrorKind::malformed, "cannot be read", {}};
  }

  Error bomb() const {
    return Error{ErrorKind::unsupported,
                 "unpacks to more than " + std::to_string(limit_) + " bytes (a bomb)",
                 {}};
  }

  tl::unexpected<Error> fail(Error problem) {
    done_ = true;
    problem.message = "offset " + std::to_string(offset_) + ": " + std::string(codec_name(codec_)) +
                      ": " + problem.message;
    return tl::unexpected(std::move(problem));
  }

  Codec codec_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<ByteStream> from_;
  std::uint64_t limit_, given_ = 0, offset_ = 0;
  std::unique_ptr<std::byte[]> input_;  // kInput bytes, of which [at_, end_) are to be decoded
  std::size_t at_ = 0, end_ = 0;
  bool source_ended_ = false, between_ = false, starving_ = false, done_ = false;
  std::optional<Error> pending_;
};

class Unreadable : public ByteStream {
 public:
  Result<std::size_t> read(std::span<std::byte> /*into*/) override {
    return error(ErrorKind::bug, "an LZ4 block has no end of its own");
  }
};

// Stored bytes are passed on as they are; skipping stays a jump.
class Counted : public ByteStream {
 public:
  Counted(std::unique_ptr<ByteStream> from, std::uint64_t limit)
      : from_(std::move(from)), left_(limit), limit_(limit) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    KF_TRY(std::size_t got, from_->read(into));
    return count(got);
  }
  Result<std::uint64_t> skip(std::uint64_t bytes) override {
    KF_TRY(std::uint64_t got, from_->skip(bytes));
    return count(got);
  }

 private:
  template <typename N>
  Result<N> count(N got) {
    if (got > left_) {
      return error(ErrorKind::unsupported, "longer than " + std::to_string(limit_) + " bytes");
    }
    left_ -= got;
    return got;
  }
  std::unique_ptr<ByteStream> from_;
  std::uint64_t left_, limit_;
};

std::unique_ptr<Decoder> make_decoder(Codec codec) {
  switch (codec) {
    case Codec::deflate:
    case Codec::gzip:
    case Codec::zlib: return make_deflate(codec);
    case Codec::zstd: return make_zstd();
    case Codec::xz: return make_xz();
    case Codec::zip_lzma: return make_zip_lzma();
    case Codec::bzip2: return make_bzip2();
    case Codec::lz4_frame: return make_lz4_frame();
    case Codec::stored:
    case Codec::lz4_block: break;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<ByteStream> decode(Codec codec, std::unique_ptr<ByteStream> from,
                                   std::uint64_t limit_bytes) {
  if (codec == Codec::stored) return std::make_unique<Counted>(std::move(from), limit_bytes);
  if (codec == Codec::lz4_block) return std::make_unique<Unreadable>();
  return std::make_unique<DecodedStream>(codec, make_decoder(codec), std::move(from), limit_bytes);
}

}  // namespace kernelfit
