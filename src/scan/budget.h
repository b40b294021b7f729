// SPDX-License-Identifier: Apache-2.0
// How much may come out of one file, all that is packed in it and in what was packed in it taken
// together: a bomb in a wheel in a tar is harmless at every single step. For this room only.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/stream.h"

namespace kernelfit {

class Budget {
 public:
  // The rule of zip members (ArchiveLimits) for all of a file: a gigabyte, and two hundred times
  // what it has. Wheels and images have 1 to 6 : 1, and are unpacked up to three times.
  explicit Budget(std::uint64_t file_bytes) : file_bytes_(file_bytes), left_(room(file_bytes)) {}
  // False once it is spent.
  bool take(std::uint64_t bytes) {
    return left_.fetch_sub(static_cast<std::int64_t>(bytes)) >= static_cast<std::int64_t>(bytes);
  }
  // Images that are kept of all that is in the file: what a few kilobytes claim is no library.
  bool take_images(std::uint64_t images) {
    return (images_ += images) <= kImages + file_bytes_ / kBytesPerImage;
  }
  bool spent() const { return left_ < 0; }
  // True once: one line tells of it, though every archive around the bomb fails.
  bool first_to_tell() { return !told_.exchange(true); }
  std::string why() const {
    return "unpacks to more than " + std::to_string(room(file_bytes_)) + " bytes from " +
           std::to_string(file_bytes_) + " (a bomb); the rest is not read";
  }

 private:
  static constexpr std::uint64_t kImages = 400'000, kBytesPerImage = 256;
  static std::int64_t room(std::uint64_t file_bytes) {
    constexpr std::uint64_t kFree = std::uint64_t{1} << 30, kRatio = 200;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
    return static_cast<std::int64_t>(kFree + kRatio * std::min(file_bytes, kMost));
  }
  std::uint64_t file_bytes_;
  std::atomic<std::int64_t> left_;
  std::atomic<std::uint64_t> images_ = 0;
  std::atomic<bool> told_ = false;
};

// What a decoder gives, counted.
class BudgetStream : public ByteStream {
 public:
  BudgetStream(std::unique_ptr<ByteStream> from, std::shared_ptr<Budget> budget)
      : from_(std::move(from)), budget_(std::move(budget)) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    if (budget_->spent()) return error(ErrorKind::unsupported, budget_->why());
    KF_TRY(const std::size_t got, from_->read(into));
    if (budget_->take(got)) return got;
    return error(ErrorKind::unsupported, budget_->why());
  }

 private:
  std::unique_ptr<ByteStream> from_;
  std::shared_ptr<Budget> budget_;
};

// Without a budget the stream as it is.
inline std::unique_ptr<ByteStream> budgeted(std::unique_ptr<ByteStream> from,
                                            const std::shared_ptr<Budget>& budget) {
  if (!budget) return from;
  return std::make_unique<BudgetStream>(std::move(from), budget);
}

}  // namespace kernelfit
