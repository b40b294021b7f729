// SPDX-License-Identifier: Apache-2.0
// Streams for looking before reading. For this room only.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/stream.h"

namespace kernelfit {

// A stream whose first bytes can be looked at and are read again.
class PeekStream : public ByteStream {
 public:
  explicit PeekStream(std::unique_ptr<ByteStream> from) : from_(std::move(from)) {}

  // Up to `count` first bytes; fewer where the stream ends or fails before.
  Bytes front(std::size_t count) {
    while (front_.size() < count && !error_) {
      const std::size_t before = front_.size();
      front_.resize(count);
      auto got = from_->read(std::span(front_).subspan(before));
      front_.resize(before + (got ? *got : 0));
      if (!got) error_ = got.error();
      if (got && *got == 0) break;
    }
    return front_;
  }
  // What went wrong while looking.
  const std::optional<Error>& error() const { return error_; }

  Result<std::size_t> read(std::span<std::byte> into) override {
    if (at_ < front_.size()) {
      const std::size_t count = std::min(into.size(), front_.size() - at_);
      std::copy_n(front_.begin() + static_cast<std::ptrdiff_t>(at_), count, into.begin());
      at_ += count;
      return count;
    }
    if (error_) return tl::unexpected(*error_);
    return from_->read(into);
  }
  Result<std::uint64_t> skip(std::uint64_t count) override {
    const std::uint64_t kept = std::min<std::uint64_t>(count, front_.size() - at_);
    at_ += static_cast<std::size_t>(kept);
    if (kept == count) return count;
    if (error_) return tl::unexpected(*error_);
    KF_TRY(std::uint64_t more, from_->skip(count - kept));
    return kept + more;
  }

 private:
  std::unique_ptr<ByteStream> from_;
  std::vector<std::byte> front_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace kernelfit
