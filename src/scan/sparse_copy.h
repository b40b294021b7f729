// SPDX-License-Identifier: Apache-2.0
// What is kept of a stream that runs past: its first megabytes, where the tables of an ELF or PE
// file lie, and its last ones, where an ELF file has its section table. For this room only.
#pragma once
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/stream.h"
#include "scan/torch_flags.h"

namespace kernelfit {

class SparseCopy : public RandomAccess {
 public:
  explicit SparseCopy(std::uint64_t size_bytes) : size_(size_bytes) {}
  std::uint64_t size() const override { return size_; }
  // What was not kept is ErrorKind::unsupported.
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

  void add(std::uint64_t offset, Bytes bytes);
  Bytes front() const { return front_; }

 private:
  static constexpr std::size_t kFront = std::size_t{8} << 20;
  static constexpr std::size_t kBack = std::size_t{4} << 20;
  std::uint64_t size_;
  std::vector<std::byte> front_;
  std::vector<std::byte> back_;  // from back_at_ on
  std::uint64_t back_at_ = 0;
};

// Passes a stream on and adds what runs past to the copy, skipped bytes too.
class CopyingStream : public ByteStream {
 public:
  // `finder` may be null.
  CopyingStream(ByteStream& from, SparseCopy& copy, TorchFlagsFinder* finder)
      : from_(from), copy_(copy), finder_(finder) {}
  Result<std::size_t> read(std::span<std::byte> into) override;
  std::uint64_t bytes_read() const { return at_; }

 private:
  ByteStream& from_;
  SparseCopy& copy_;
  TorchFlagsFinder* finder_;
  std::uint64_t at_ = 0;
};

}  // namespace kernelfit
