// SPDX-License-Identifier: Apache-2.0
// Files that keep alive what they read from: whoever reads goes on after their finder has gone.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/stream.h"

namespace kernelfit {

// An owner of a window: the file below stays open as long as it is read.
class OwningWindow : public RandomAccess {
 public:
  OwningWindow(std::shared_ptr<const RandomAccess> file, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), window_(*file_, offset, size) {}
  std::uint64_t size() const override { return window_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    return window_.read(offset, into);
  }

 private:
  std::shared_ptr<const RandomAccess> file_;
  WindowAccess window_;
};

class OwnedBytes : public RandomAccess {
 public:
  explicit OwnedBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)), access_(bytes_) {}
  std::uint64_t size() const override { return access_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    return access_.read(offset, into);
  }

 private:
  std::vector<std::byte> bytes_;
  BufferAccess access_;
};

}  // namespace kernelfit
