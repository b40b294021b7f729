// SPDX-License-Identifier: Apache-2.0
#include "elf/block_access.h"

#include <algorithm>

namespace kernelfit {
namespace {

constexpr std::uint64_t kPage = 4096;

}  // namespace

Status BlockAccess::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size_ || into.size() > size_ - offset) {
    return error(ErrorKind::truncated, "needs " + std::to_string(into.size()) +
                                           " bytes at offset " + std::to_string(offset) + " of " +
                                           std::to_string(size_));
  }
  if (into.empty()) return {};
  const bool kept = offset >= kept_at_ && offset - kept_at_ <= kept_bytes_ &&
                    into.size() <= kept_bytes_ - (offset - kept_at_);
  if (!kept) {
    if (into.size() >= kPage) return file_.read(offset, into);
    const std::uint64_t page_end = (offset + into.size() + kPage - 1) / kPage * kPage;
    kept_.resize(2 * kPage);  // once; what is asked for may lie across two
    const auto block = std::span(kept_).first(std::min(page_end, size_) - offset);
    kept_bytes_ = 0;  // nothing, where reading fails
    if (Status status = file_.read(offset, block); !status) return status;
    kept_at_ = offset;
    kept_bytes_ = block.size();
  }
  std::memcpy(into.data(), kept_.data() + (offset - kept_at_), into.size());
  return {};
}

}  // namespace kernelfit
