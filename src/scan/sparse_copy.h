// SPDX-License-Identifier: Apache-2.0
// What is kept of a stream that runs past: its first megabytes, where the tables of an ELF or PE
// file lie, its last ones, where an ELF file has its section table, and what those name that is
// still to come. For this room only.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.h"
#include "base/stream.h"
#include "scan/torch_flags.h"

namespace kernelfit {

class SparseCopy : public RandomAccess {
 public:
  // `look`: reads the tables of a file as far as they are there; called while the stream runs past,
  // and what it misses then is kept when it comes.
  using Look = std::function<void(const RandomAccess&)>;
  explicit SparseCopy(std::uint64_t size_bytes, Look look = {}, std::size_t front = kFront)
      : size_(size_bytes), front_bytes_(front), look_(std::move(look)) {}
  std::uint64_t size() const override { return size_; }
  // What was not kept is ErrorKind::unsupported.
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

  void add(std::uint64_t offset, Bytes bytes);
  // The stream ended there.
  void ends_at(std::uint64_t size_bytes) {
    size_ = size_bytes;
    missed_.clear();
  }
  // Whether something was asked for since that was not kept.
  bool missed() const { return !missed_.empty(); }
  Bytes front() const { return front_; }

  static constexpr std::size_t kFront = std::size_t{8} << 20;

 private:
  static constexpr std::size_t kBack = std::size_t{4} << 20;
  struct Window {
    std::uint64_t from = 0, to = 0;
    std::vector<std::byte> bytes = {};
  };
  void keep(Window& window, std::uint64_t offset, Bytes bytes) const;
  void keep_back(std::uint64_t offset, Bytes bytes);
  void look_ahead(std::uint64_t at);

  std::uint64_t size_;
  std::size_t front_bytes_;
  Look look_;
  std::vector<std::byte> front_;
  std::vector<std::byte> back_;  // from back_at_ on
  std::uint64_t back_at_ = 0;
  std::vector<Window> windows_;
  std::uint64_t window_bytes_ = 0;
  std::uint64_t look_at_ = 0;  // the offset at which there is more to look at
  int looks_ = 0;
  mutable std::vector<Window> missed_;
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
