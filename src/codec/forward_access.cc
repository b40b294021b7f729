// SPDX-License-Identifier: Apache-2.0
#include "codec/forward_access.h"

namespace kernelfit {

Status ForwardAccess::go_to(std::uint64_t offset) const {
  if (!stream_ || offset < at_) {
    if (stream_ && restarts_-- <= 0) {
      return error(ErrorKind::unsupported, "its parts would be unpacked too often");
    }
    stream_ = open_();
    at_ = 0;
  }
  KF_TRY(const std::uint64_t skipped, stream_->skip(offset - at_));
  at_ += skipped;
  if (at_ == offset) return {};
  return error(ErrorKind::truncated, "ends at " + std::to_string(at_));
}

Status ForwardAccess::read(std::uint64_t offset, std::span<std::byte> into) const {
  const std::lock_guard lock(mutex_);
  if (Status status = go_to(offset); !status) return status;
  while (!into.empty()) {
    KF_TRY(const std::size_t got, stream_->read(into));
    if (got == 0) return error(ErrorKind::truncated, "ends at " + std::to_string(at_));
    at_ += got;
    into = into.subspan(got);
  }
  return {};
}

}  // namespace kernelfit
