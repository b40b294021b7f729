// SPDX-License-Identifier: Apache-2.0
// Sparse members of a tar: only what is not a hole is stored, and a map says where it belongs. GNU
// tar's manual, "Storing Sparse Files": the old form (type S), pax 0.0, 0.1 and 1.0. Private to the
// room.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "archive/pax.h"
#include "base/bytes.h"
#include "base/stream.h"

namespace kernelfit {

struct SparsePiece {
  std::uint64_t offset = 0, size_bytes = 0;
};

class SparseMap {
 public:
  std::uint64_t size_bytes = 0;  // with the holes
  std::vector<SparsePiece> pieces;

  // The old form: four pieces in the header, 21 in each block behind it. True where another
  // block follows.
  bool add_header(Bytes block);
  bool add_block(Bytes block);
  void add_pax(const PaxValues& pax);
  // Version 1: the map is text at the front of the content, filled up to a block.
  void add_content(ByteStream& content);
  // The pieces are in order, within the size, and `stored` bytes in all.
  bool fits(std::uint64_t stored) const;

 private:
  void add_numbers(Bytes block, std::size_t at, std::size_t count);
  bool malformed_ = false;
};

// The member with its holes as zeros. `stored` outlives it; the map fits.
class SparseContent : public ByteStream {
 public:
  SparseContent(ByteStream& stored, SparseMap map) : stored_(stored), map_(std::move(map)) {}
  Result<std::size_t> read(std::span<std::byte> into) override;

 private:
  ByteStream& stored_;
  SparseMap map_;
  std::uint64_t at_ = 0;
  std::size_t piece_ = 0;  // the one that `at_` is in or before
};

}  // namespace kernelfit
