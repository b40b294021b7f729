// SPDX-License-Identifier: Apache-2.0
#include "archive/tail_access.h"

#include <algorithm>

namespace kernelfit {

Result<TailAccess> TailAccess::over(const RandomAccess& file, std::uint64_t tail_size) {
  TailAccess access(file);
  access.tail_.resize(static_cast<std::size_t>(std::min(file.size(), tail_size)));
  if (Status status = file.read(access.tail_at(), access.tail_); !status) {
    return tl::unexpected(std::move(status.error()));
  }
  return access;
}

Status TailAccess::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size() || into.size() > size() - offset) return file_->read(offset, into);
  const std::uint64_t before = offset < tail_at() ? tail_at() - offset : 0;
  const auto front = static_cast<std::size_t>(std::min<std::uint64_t>(before, into.size()));
  if (front > 0) {
    if (Status status = file_->read(offset, into.first(front)); !status) return status;
  }
  const std::size_t rest = into.size() - front;
  if (rest == 0) return {};
  const std::uint64_t in_tail = offset + front - tail_at();
  std::copy_n(tail_.begin() + static_cast<std::ptrdiff_t>(in_tail), rest,
              into.begin() + static_cast<std::ptrdiff_t>(front));
  return {};
}

}  // namespace kernelfit
