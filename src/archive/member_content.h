// SPDX-License-Identifier: Apache-2.0
// An archive that comes in order: where in it we are, and the stream over one member that a visitor
// is given. Private to the room.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/stream.h"

namespace kernelfit {

// Counts what was taken, and keeps the first error.
class InOrder {
 public:
  explicit InOrder(ByteStream& stream) : stream_(stream) {}
  // As many bytes as there are, up to the size of `into`.
  std::size_t fill(std::span<std::byte> into);
  Result<std::size_t> read(std::span<std::byte> into);
  // True where `count` bytes were there.
  bool skip(std::uint64_t count);
  // `count` bytes; nothing where the archive ends before.
  std::optional<std::string> text(std::uint64_t count);
  std::uint64_t offset() const { return offset_; }
  const std::optional<Error>& failed() const { return failed_; }

 private:
  ByteStream& stream_;
  std::uint64_t offset_ = 0;
  std::optional<Error> failed_;
};

// The next `size` bytes. Ends with an error where the archive ends before them.
class MemberContent : public ByteStream {
 public:
  MemberContent(InOrder& in, std::uint64_t size) : in_(in), left_(size) {}
  Result<std::size_t> read(std::span<std::byte> into) override;
  Result<std::uint64_t> skip(std::uint64_t count) override;
  std::uint64_t left() const { return left_; }

 private:
  InOrder& in_;
  std::uint64_t left_;
  bool cut_ = false;
};

}  // namespace kernelfit
