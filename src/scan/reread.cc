// SPDX-License-Identifier: Apache-2.0
#include "scan/reread.h"

#include <algorithm>

namespace kernelfit {

Result<const RereadAccess::Block*> RereadAccess::block(std::uint64_t at) const {
  for (const Block& have : blocks_) {
    if (have.at == at) return &have;
  }
  Block next{at};
  next.bytes.resize(static_cast<std::size_t>(std::min(kBlock, size() - at)));
  if (Status status = stream_.read(at, next.bytes); !status) return tl::unexpected(status.error());
  if (blocks_.size() >= kBlocks) blocks_.pop_front();
  blocks_.push_back(std::move(next));
  return &blocks_.back();
}

Status RereadAccess::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (copy_.read(offset, into)) return {};
  if (offset > size() || into.size() > size() - offset) {
    return error(ErrorKind::truncated, "reads past the end of the member");
  }
  while (!into.empty()) {
    const std::uint64_t at = offset / kBlock * kBlock;
    KF_TRY(const Block* found, block(at));
    const Bytes part = Bytes(found->bytes).subspan(static_cast<std::size_t>(offset - at));
    const std::size_t count = std::min(part.size(), into.size());
    std::copy_n(part.begin(), count, into.begin());
    into = into.subspan(count);
    offset += count;
  }
  return {};
}

}  // namespace kernelfit
