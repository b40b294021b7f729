// SPDX-License-Identifier: Apache-2.0
// A stream that can be had again from its beginning, read by offset: what was kept of it when it
// ran past, else the stream once more, in blocks that are kept for a while. For this room only.
#pragma once
#include <deque>
#include <functional>
#include <memory>

#include "base/bytes.h"
#include "base/stream.h"
#include "codec/forward_access.h"
#include "scan/sparse_copy.h"

namespace kernelfit {

// The same stream from its beginning; empty where it runs past only once.
using Reopen = std::function<std::unique_ptr<ByteStream>()>;

class RereadAccess : public RandomAccess {
 public:
  RereadAccess(const SparseCopy& copy, const Reopen& reopen)
      : copy_(copy), stream_(reopen, copy.size(), kRestarts) {}
  std::uint64_t size() const override { return copy_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  static constexpr int kRestarts = 64;
  static constexpr std::uint64_t kBlock = std::uint64_t{256} << 10;
  static constexpr std::size_t kBlocks = 48;
  struct Block {
    std::uint64_t at = 0;
    std::vector<std::byte> bytes = {};
  };
  Result<const Block*> block(std::uint64_t at) const;

  const SparseCopy& copy_;
  ForwardAccess stream_;
  mutable std::deque<Block> blocks_;
};

}  // namespace kernelfit
