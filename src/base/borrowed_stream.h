// SPDX-License-Identifier: Apache-2.0
// A stream for who takes one whole, where the owner goes on with it afterwards.
#pragma once
#include "base/stream.h"

namespace kernelfit {

// A stream that somebody else owns.
class BorrowedStream : public ByteStream {
 public:
  explicit BorrowedStream(ByteStream& from) : from_(from) {}
  Result<std::size_t> read(std::span<std::byte> into) override { return from_.read(into); }
  Result<std::uint64_t> skip(std::uint64_t count) override { return from_.skip(count); }

 private:
  ByteStream& from_;
};

}  // namespace kernelfit
