// SPDX-License-Identifier: Apache-2.0
// What a stream gives, read by offset: free as long as offsets grow, from the beginning again where
// one lies behind. For a compressed file whose parts are wanted one after the other, several times.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "base/bytes.h"
#include "base/stream.h"

namespace kernelfit {

class ForwardAccess : public RandomAccess {
 public:
  using Open = std::function<std::unique_ptr<ByteStream>()>;  // the same stream from its beginning
  // `size_bytes`: of what the stream gives, known from having read it once. More than `restarts`
  // steps back are ErrorKind::unsupported.
  ForwardAccess(Open open, std::uint64_t size_bytes, int restarts)
      : open_(std::move(open)), size_(size_bytes), restarts_(restarts) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  Status go_to(std::uint64_t offset) const;

  Open open_;
  std::uint64_t size_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ByteStream> stream_;
  mutable std::uint64_t at_ = 0;
  mutable int restarts_;
};

}  // namespace kernelfit
