// SPDX-License-Identifier: Apache-2.0
#include "archive/tar_sparse.h"

#include <algorithm>
#include <array>

#include "archive/tar_header.h"

namespace kernelfit {
namespace {

constexpr std::size_t kNumber = 12;  // bytes of a number in a header
constexpr std::size_t kFirstAt = 386, kFirstCount = 4, kFirstMoreAt = 482, kSizeAt = 483;
constexpr std::size_t kNextCount = 21, kNextMoreAt = 504;
constexpr std::size_t kMaxPieces = std::size_t{1} << 20;

// The lines at the front of a content, block by block.
class MapText {
 public:
  explicit MapText(ByteStream& content) : content_(content) {}
  std::optional<std::uint64_t> number() {
    std::string digits;
    for (;;) {
      const auto letter = next();
      if (!letter || digits.size() > 20) return std::nullopt;
      if (*letter == '\n') break;
      digits += *letter;
    }
    return parse_pax_number(digits);
  }

 private:
  std::optional<char> next() {
    if (at_ == block_.size() && !fill()) return std::nullopt;
    return static_cast<char>(block_[at_++]);
  }
  bool fill() {
    std::size_t done = 0;
    while (done < block_.size()) {
      const auto got = content_.read(std::span(block_).subspan(done));
      if (!got || *got == 0) return false;
      done += *got;
    }
    at_ = 0;
    return true;
  }
  ByteStream& content_;
  std::array<std::byte, kTarBlock> block_{};
  std::size_t at_ = kTarBlock;
};

}  // namespace

// A list that is shorter than its room ends with zeros.
void SparseMap::add_numbers(Bytes block, std::size_t at, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, at += 2 * kNumber) {
    if (block[at] == std::byte{0}) return;
    const auto offset = parse_tar_number(block.subspan(at, kNumber));
    const auto size = parse_tar_number(block.subspan(at + kNumber, kNumber));
    malformed_ = malformed_ || !offset || !size || pieces.size() >= kMaxPieces;
    if (malformed_) return;
    pieces.push_back({*offset, *size});
  }
}

bool SparseMap::add_header(Bytes block) {
  const auto size = parse_tar_number(block.subspan(kSizeAt, kNumber));
  malformed_ = !size;
  size_bytes = size.value_or(0);
  add_numbers(block, kFirstAt, kFirstCount);
  return block[kFirstMoreAt] != std::byte{0};
}

bool SparseMap::add_block(Bytes block) {
  if (!malformed_) add_numbers(block, 0, kNextCount);
  return block[kNextMoreAt] != std::byte{0};
}

void SparseMap::add_pax(const PaxValues& pax) {
  malformed_ = !pax.sparse_size || pax.sparse_map.size() % 2 != 0;
  size_bytes = pax.sparse_size.value_or(0);
  for (std::size_t i = 0; i + 1 < pax.sparse_map.size(); i += 2) {
    pieces.push_back({pax.sparse_map[i], pax.sparse_map[i + 1]});
  }
}

void SparseMap::add_content(ByteStream& content) {
  MapText text(content);
  const auto count = text.number();
  malformed_ = malformed_ || !count || *count > kMaxPieces;
  for (std::uint64_t i = 0; !malformed_ && i < *count; ++i) {
    const auto offset = text.number();
    const auto size = offset ? text.number() : std::nullopt;
    malformed_ = !size;
    if (size) pieces.push_back({*offset, *size});
  }
}

bool SparseMap::fits(std::uint64_t stored) const {
  std::uint64_t end = 0, sum = 0;
  for (const auto& [offset, size] : pieces) {
    if (offset < end || offset > size_bytes || size > size_bytes - offset) return false;
    end = offset + size;
    sum += size;
  }
  return !malformed_ && sum == stored;
}

Result<std::size_t> SparseContent::read(std::span<std::byte> into) {
  while (piece_ < map_.pieces.size() &&
         at_ >= map_.pieces[piece_].offset + map_.pieces[piece_].size_bytes) {
    ++piece_;
  }
  const bool in_hole = piece_ == map_.pieces.size() || at_ < map_.pieces[piece_].offset;
  std::uint64_t end = map_.size_bytes;
  if (piece_ < map_.pieces.size()) {
    const SparsePiece& piece = map_.pieces[piece_];
    end = in_hole ? piece.offset : piece.offset + piece.size_bytes;
  }
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - at_));
  if (count == 0) return std::size_t{0};
  if (in_hole) {
    std::ranges::fill(into.first(count), std::byte{0});
    at_ += count;
    return count;
  }
  KF_TRY(const std::size_t got, stored_.read(into.first(count)));
  at_ += got;
  return got;
}

}  // namespace kernelfit
