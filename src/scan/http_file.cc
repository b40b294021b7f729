// SPDX-License-Identifier: Apache-2.0
#include "scan/http_file.h"

#include <algorithm>

namespace kernelfit {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{64} << 10;  // at least so much is asked for
constexpr std::uint64_t kMost = std::uint64_t{32} << 20;  // of all requests together
constexpr std::int64_t kMostRequests = 64;

}  // namespace

std::string status_text(int status) {
  std::string out = "the server says " + std::to_string(status);
  switch (status) {
    case 401:
    case 407: return out + ": it wants a name and a password";
    case 403: return out + ": it is not allowed";
    case 404:
    case 410: return out + ": there is no such file";
    case 429: return out + ": too many requests";
    default: return status >= 500 ? out + ": it is in trouble" : out;
  }
}

const std::vector<std::byte>* HttpFile::holding(std::uint64_t offset, std::uint64_t count,
                                                std::uint64_t& at) const {
  auto part = parts_.upper_bound(offset);
  while (part != parts_.begin()) {
    --part;
    at = offset - part->first;
    if (at <= part->second.size() && count <= part->second.size() - at) return &part->second;
  }
  return nullptr;
}

void HttpFile::keep(std::uint64_t offset, std::vector<std::byte> bytes) const {
  fetched_ += bytes.size();
  ++requests_;
  parts_[offset] = std::move(bytes);
}

Status HttpFile::prefetch(std::uint64_t offset, std::uint64_t count) const {
  offset = std::min(offset, size_);
  count = std::min(count, size_ - offset);
  std::uint64_t at = 0;
  return count == 0 || holding(offset, count, at) ? Status() : fetch(offset, count);
}

// The answer must be exactly what was asked for: a server that sends something else would have its
// bytes taken for others.
Status HttpFile::fetch(std::uint64_t first, std::uint64_t count) const {
  if (count > kMost - std::min(kMost, fetched_) || requests_ >= kMostRequests) {
    return error(ErrorKind::unsupported, "its directory takes too much to be read from a server");
  }
  HttpRequest request = request_;
  request.range = HttpRange{first, first + count - 1};
  KF_TRY(const auto answer, http_get(host_, request));
  const HttpHead& head = answer->head();
  if (head.status == 200) {
    return error(ErrorKind::malformed, "the server sends ranges and then does not");
  }
  if (head.status != 206) return error(ErrorKind::denied, status_text(head.status));
  const auto range = parse_content_range(head.field("content-range"));
  if (!range || range->first != first || range->last != request.range->last) {
    return error(ErrorKind::malformed, "the server sends another range than it was asked for");
  }
  if (range->size != size_) {
    return error(ErrorKind::malformed, "the file on the server has changed its size");
  }
  auto bytes = read_all(*answer, static_cast<std::size_t>(count) + 1);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  if (bytes->size() != count) {
    return error(ErrorKind::truncated, "the server sends " + std::to_string(bytes->size()) +
                                           " bytes where it says " + std::to_string(count));
  }
  keep(first, std::move(*bytes));
  return {};
}

Status HttpFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size_ || into.size() > size_ - offset) {
    return error(ErrorKind::truncated, "reads past the end of the file");
  }
  std::uint64_t at = 0;
  const auto* part = holding(offset, into.size(), at);
  if (!part) {
    const std::uint64_t count = std::max<std::uint64_t>(into.size(), kStep);
    if (Status status = fetch(offset, std::min(count, size_ - offset)); !status) return status;
    part = holding(offset, into.size(), at);
    if (!part) return error(ErrorKind::bug, "a part that came is not there");
  }
  std::copy_n(part->begin() + static_cast<std::ptrdiff_t>(at), into.size(), into.begin());
  return {};
}

}  // namespace kernelfit
