// SPDX-License-Identifier: Apache-2.0
#include "scan/sparse_copy.h"

#include <algorithm>
#include <limits>

namespace kernelfit {

namespace {

// Around what is missed: names lie beside tables, and the next row behind the one before.
constexpr std::uint64_t kAround = std::uint64_t{256} << 10;
constexpr std::uint64_t kMaxWindows = std::uint64_t{16} << 20;
constexpr std::size_t kMaxMissed = 256;
constexpr int kMaxLooks = 64;

bool copied(Bytes kept, std::uint64_t kept_at, std::uint64_t offset, std::span<std::byte> into) {
  if (offset < kept_at) return false;
  const auto part = slice(kept, offset - kept_at, into.size());
  if (!part) return false;
  std::copy(part->begin(), part->end(), into.begin());
  return true;
}

}  // namespace

Status SparseCopy::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size_ || into.size() > size_ - offset) {
    return error(ErrorKind::truncated, "needs " + std::to_string(into.size()) +
                                           " bytes at offset " + std::to_string(offset) + " of " +
                                           std::to_string(size_));
  }
  if (copied(front_, 0, offset, into) || copied(back_, back_at_, offset, into)) return {};
  for (const Window& window : windows_) {
    if (copied(window.bytes, window.from, offset, into)) return {};
  }
  if (missed_.size() < kMaxMissed) missed_.push_back({offset, offset + into.size()});
  return error(ErrorKind::unsupported,
               "offset " + std::to_string(offset) + " of the stream was not kept");
}

void SparseCopy::add(std::uint64_t offset, Bytes bytes) {
  if (offset == front_.size() && front_.size() < front_bytes_) {
    const std::size_t take = std::min(bytes.size(), front_bytes_ - front_.size());
    front_.insert(front_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(take));
  }
  for (Window& window : windows_) keep(window, offset, bytes);
  keep_back(offset, bytes);
  if (look_ && offset + bytes.size() > look_at_) look_ahead(offset + bytes.size());
}

void SparseCopy::keep(Window& window, std::uint64_t offset, Bytes bytes) const {
  const std::uint64_t next = window.from + window.bytes.size();
  if (next < offset || next >= offset + bytes.size() || next >= window.to) return;
  const Bytes part = bytes.subspan(static_cast<std::size_t>(next - offset));
  const auto take = std::min<std::uint64_t>(part.size(), window.to - next);
  window.bytes.insert(window.bytes.end(), part.begin(),
                      part.begin() + static_cast<std::ptrdiff_t>(take));
}

void SparseCopy::keep_back(std::uint64_t offset, Bytes bytes) {
  // Only the end is wanted; where the end is, the size says.
  const std::uint64_t wanted = size_ > kBack ? size_ - kBack : 0;
  if (offset + bytes.size() <= wanted) return;
  const std::uint64_t from = std::max(offset, wanted);
  if (back_.empty()) back_at_ = from;
  if (from != back_at_ + back_.size() || back_.size() > 2 * kBack) return;
  const Bytes part = bytes.subspan(static_cast<std::size_t>(from - offset));
  back_.insert(back_.end(), part.begin(), part.end());
}

// Once the front is there, and again when a window is full.
void SparseCopy::look_ahead(std::uint64_t at) {
  look_at_ = std::numeric_limits<std::uint64_t>::max();
  if (++looks_ > kMaxLooks) return;
  missed_.clear();
  look_(*this);
  for (const Window& miss : missed_) {
    Window window{std::max(at, miss.from - std::min(miss.from, kAround)),
                  std::min(size_, miss.to + std::min(size_ - miss.to, kAround))};
    const bool ahead = miss.from >= at && miss.to <= size_;
    const bool there = std::ranges::any_of(
        windows_, [&](const Window& have) { return have.from <= miss.from && miss.to <= have.to; });
    if (!ahead || there || window_bytes_ + (window.to - window.from) > kMaxWindows) continue;
    window_bytes_ += window.to - window.from;
    windows_.push_back(std::move(window));
  }
  for (const Window& window : windows_) {
    if (window.to > at) look_at_ = std::min(look_at_, window.to - 1);
  }
}

Result<std::size_t> CopyingStream::read(std::span<std::byte> into) {
  KF_TRY(std::size_t got, from_.read(into));
  copy_.add(at_, into.first(got));
  if (finder_ != nullptr) finder_->feed(into.first(got));
  at_ += got;
  return got;
}

}  // namespace kernelfit
