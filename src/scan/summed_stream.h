// SPDX-License-Identifier: Apache-2.0
// A stream whose digest is wanted. For this room only.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/stream.h"
#include "codec/sha256.h"

namespace kernelfit {

// Passes a stream on, and sums what runs past.
class SummedStream : public ByteStream {
 public:
  explicit SummedStream(std::unique_ptr<ByteStream> from) : from_(std::move(from)) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    KF_TRY(const std::size_t got, from_->read(into));
    if (!believed_) sum_.add(into.first(got));
    return got;
  }
  // What is summed cannot be jumped over.
  Result<std::uint64_t> skip(std::uint64_t count) override {
    return believed_ ? from_->skip(count) : ByteStream::skip(count);
  }
  void believe() { believed_ = true; }
  // "sha256:…" of all of it; an error where it cannot be read to its end.
  Result<std::string> digest() {
    KF_TRY([[maybe_unused]] const auto rest, skip(std::numeric_limits<std::uint64_t>::max()));
    return "sha256:" + sum_.hex();
  }

 private:
  std::unique_ptr<ByteStream> from_;
  Sha256 sum_;
  bool believed_ = false;
};

}  // namespace kernelfit
