// SPDX-License-Identifier: Apache-2.0
// A file whose end is kept: the end record, its 64-bit brothers and often the whole directory of a
// zip then cost one read, which may be a request to a server. Private to the room.
#pragma once
#include <vector>

#include "base/bytes.h"

namespace kernelfit {

class TailAccess : public RandomAccess {
 public:
  // Keeps the last `tail_size` bytes, or all where there are fewer.
  static Result<TailAccess> over(const RandomAccess& file, std::uint64_t tail_size);
  std::uint64_t size() const override { return file_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;
  Bytes tail() const { return tail_; }
  std::uint64_t tail_at() const { return size() - tail_.size(); }

 private:
  explicit TailAccess(const RandomAccess& file) : file_(&file) {}
  const RandomAccess* file_;
  std::vector<std::byte> tail_;
};

}  // namespace kernelfit
