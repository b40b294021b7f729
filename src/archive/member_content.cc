// SPDX-License-Identifier: Apache-2.0
#include "archive/member_content.h"

namespace kernelfit {

Result<std::size_t> InOrder::read(std::span<std::byte> into) {
  if (failed_) return tl::unexpected(*failed_);
  auto got = stream_.read(into);
  if (got) offset_ += *got;
  if (!got) failed_ = got.error();
  return got;
}

std::size_t InOrder::fill(std::span<std::byte> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    auto got = read(into.subspan(done));
    if (!got || *got == 0) break;
    done += *got;
  }
  return done;
}

bool InOrder::skip(std::uint64_t count) {
  if (failed_) return false;
  auto got = stream_.skip(count);
  if (got) offset_ += *got;
  if (!got) failed_ = got.error();
  return got && *got == count;
}

// Grows with what is really there: a size is a claim.
std::optional<std::string> InOrder::text(std::uint64_t count) {
  std::string out;
  while (out.size() < count) {
    const std::size_t had = out.size();
    out.resize(had + static_cast<std::size_t>(std::min<std::uint64_t>(count - had, 65536)));
    if (fill(std::as_writable_bytes(std::span(out)).subspan(had)) < out.size() - had) {
      return std::nullopt;
    }
  }
  return out;
}

Result<std::size_t> MemberContent::read(std::span<std::byte> into) {
  if (left_ == 0 || cut_ || into.empty()) return std::size_t{0};
  const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
  auto got = in_.read(into.first(want));
  cut_ = !got || *got == 0;
  if (!got) return got;
  if (cut_) {
    return error(ErrorKind::truncated, "offset " + std::to_string(in_.offset()) +
                                           ": the archive ends " + std::to_string(left_) +
                                           " bytes before the member does");
  }
  left_ -= *got;
  return got;
}

Result<std::uint64_t> MemberContent::skip(std::uint64_t count) {
  const std::uint64_t want = std::min(count, left_);
  const std::uint64_t before = in_.offset();
  in_.skip(want);
  const std::uint64_t done = in_.offset() - before;
  left_ -= done;
  if (in_.failed()) return tl::unexpected(*in_.failed());
  return done;
}

}  // namespace kernelfit
