// SPDX-License-Identifier: Apache-2.0
// Bytes that come in order and are not kept: a member of an archive, a download, a file read once.
// A RandomAccess can be read as one; then skipping is a jump and costs nothing.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `into` from the front with at least one byte, or returns 0 at the end. After an error
  // the stream is at its end; what was read before stands.
  virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
  // Leaves out `count` bytes, or as many as there are; returns how many.
  virtual Result<std::uint64_t> skip(std::uint64_t count) {
    std::array<std::byte, 65536> ignored;
    std::uint64_t done = 0;
    while (done < count) {
      const auto want = static_cast<std::size_t>(
          std::min<std::uint64_t>(count - done, ignored.size()));
      KF_TRY(std::size_t got, read(std::span(ignored).first(want)));
      if (got == 0) break;
      done += got;
    }
    return done;
  }
};

// [offset, offset + size) of a file that outlives the stream, cut at the file's end.
class AccessStream : public ByteStream {
 public:
  AccessStream(const RandomAccess& file, std::uint64_t offset, std::uint64_t size)
      : file_(file),
        at_(std::min(offset, file.size())),
        end_(at_ + std::min(size, file.size() - at_)) {}
  explicit AccessStream(const RandomAccess& file) : AccessStream(file, 0, file.size()) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end_ - at_));
    if (count == 0) return std::size_t{0};
    if (Status status = file_.read(at_, into.first(count)); !status) {
      return tl::unexpected(status.error());
    }
    at_ += count;
    return count;
  }
  Result<std::uint64_t> skip(std::uint64_t count) override {
    const std::uint64_t step = std::min(count, end_ - at_);
    at_ += step;
    return step;
  }

 private:
  const RandomAccess& file_;
  std::uint64_t at_, end_;
};

// A window of a file as a file of its own: a stored member of an archive.
class WindowAccess : public RandomAccess {
 public:
  WindowAccess(const RandomAccess& file, std::uint64_t offset, std::uint64_t size)
      : file_(file),
        offset_(std::min(offset, file.size())),
        size_(std::min(size, file.size() - offset_)) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (offset > size_ || into.size() > size_ - offset) {
      return error(ErrorKind::truncated, "reads past the end of the member");
    }
    return file_.read(offset_ + offset, into);
  }

 private:
  const RandomAccess& file_;
  std::uint64_t offset_, size_;
};

// Up to `limit` bytes of a stream. More than that is ErrorKind::unsupported.
inline Result<std::vector<std::byte>> read_all(ByteStream& stream, std::size_t limit) {
  std::vector<std::byte> out;
  std::array<std::byte, 16384> part;
  for (;;) {
    KF_TRY(std::size_t got, stream.read(part));
    if (got == 0) return out;
    if (got > limit - out.size()) {
      return error(ErrorKind::unsupported, "longer than " + std::to_string(limit) + " bytes");
    }
    out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
}

}  // namespace kernelfit
