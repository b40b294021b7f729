// SPDX-License-Identifier: Apache-2.0
// A RandomAccess that reads on to the end of the 4 KB page and keeps it: the headers of a section
// table or of neighboring containers then cost one read. For one thread, over a file that outlives
// it.
#pragma once
#include <vector>

#include "base/bytes.h"

namespace kernelfit {

class BlockAccess : public RandomAccess {
 public:
  explicit BlockAccess(const RandomAccess& file) : file_(file), size_(file.size()) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  const RandomAccess& file_;
  std::uint64_t size_;
  mutable std::uint64_t kept_at_ = 0, kept_bytes_ = 0;
  mutable std::vector<std::byte> kept_;
};

}  // namespace kernelfit
