// SPDX-License-Identifier: Apache-2.0
#include "scan/sparse_copy.h"

#include <algorithm>
#include <cstring>

namespace kernelfit {

Status SparseCopy::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (auto part = slice(front_, offset, into.size())) {
    std::copy(part->begin(), part->end(), into.begin());
    return {};
  }
  if (offset >= back_at_) {
    if (auto part = slice(back_, offset - back_at_, into.size())) {
      std::copy(part->begin(), part->end(), into.begin());
      return {};
    }
  }
  return error(ErrorKind::unsupported,
               "offset " + std::to_string(offset) + " of the stream was not kept");
}

void SparseCopy::add(std::uint64_t offset, Bytes bytes) {
  if (offset == front_.size() && front_.size() < kFront) {
    const std::size_t take = std::min(bytes.size(), kFront - front_.size());
    front_.insert(front_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(take));
  }
  // Only the end is wanted; where the end is, the size says.
  const std::uint64_t wanted = size_ > kBack ? size_ - kBack : 0;
  if (offset + bytes.size() <= wanted) return;
  const std::uint64_t from = std::max(offset, wanted);
  if (back_.empty()) back_at_ = from;
  if (from != back_at_ + back_.size() || back_.size() > 2 * kBack) return;
  const Bytes part = bytes.subspan(static_cast<std::size_t>(from - offset));
  back_.insert(back_.end(), part.begin(), part.end());
}

Result<std::size_t> CopyingStream::read(std::span<std::byte> into) {
  KF_TRY(std::size_t got, from_.read(into));
  copy_.add(at_, into.first(got));
  if (finder_ != nullptr) finder_->feed(into.first(got));
  at_ += got;
  return got;
}

}  // namespace kernelfit
