// SPDX-License-Identifier: Apache-2.0
#include "host/parts.h"

#include <algorithm>

namespace kernelfit {
namespace {

constexpr std::string_view kMagic = "KFPARTS1";

struct Header {
  char magic[8];
  le64 size_bytes, count;
};
struct Range {
  le64 offset, size;
};

class PartsAccess : public RandomAccess {
 public:
  explicit PartsAccess(PartsFile file) : file_(std::move(file)) {}
  std::uint64_t size() const override { return file_.size_bytes; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    return file_.read(offset, into);
  }

 private:
  PartsFile file_;
};

std::uint64_t end_of(const Part& part) {
  return part.offset + part.bytes.size();
}

void put_le64(std::string& out, std::uint64_t value) {
  for (int i = 0; i < 8; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

}  // namespace

Status PartsFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size_bytes || into.size() > size_bytes - offset) {
    return error(ErrorKind::truncated, "needs " + std::to_string(into.size()) +
                                           " bytes at offset " + std::to_string(offset) + " of " +
                                           std::to_string(size_bytes));
  }
  std::uint64_t end = offset + into.size(), kept = 0;
  std::fill(into.begin(), into.end(), std::byte{0});
  for (const auto& part : parts) {
    std::uint64_t first = std::max(offset, part.offset), last = std::min(end, end_of(part));
    if (first >= last) continue;
    std::memcpy(into.data() + (first - offset), part.bytes.data() + (first - part.offset),
                last - first);
    kept += last - first;
  }
  if (kept < into.size() && !zero_fill) {
    return error(ErrorKind::unsupported, "bytes " + std::to_string(offset) + " to " +
                                             std::to_string(end) + " were not recorded");
  }
  return {};
}

void PartsFile::add(std::uint64_t offset, std::string_view bytes) {
  std::uint64_t end = offset + bytes.size();
  auto first = std::partition_point(parts.begin(), parts.end(),
                                    [&](const Part& part) { return end_of(part) < offset; });
  auto last = std::partition_point(first, parts.end(),
                                   [&](const Part& part) { return part.offset <= end; });
  if (first == last) {
    parts.insert(first, {offset, std::string(bytes)});
    return;
  }
  // One part from all that touch: what was kept before and behind, the new bytes between.
  Part merged{std::min(first->offset, offset), {}};
  if (first->offset < offset) merged.bytes = first->bytes.substr(0, offset - first->offset);
  merged.bytes += bytes;
  const Part& behind = *(last - 1);
  if (end_of(behind) > end) merged.bytes += behind.bytes.substr(end - behind.offset);
  *first = std::move(merged);
  parts.erase(first + 1, last);
}

Result<PartsFile> parse_parts(std::string_view text) {
  Bytes bytes = as_bytes(text);
  KF_TRY(auto header, read_at<Header>(bytes, 0));
  if (std::string_view(header.magic, sizeof header.magic) != kMagic) {
    return error(ErrorKind::malformed, "not a .kfparts file");
  }
  std::uint64_t count = header.count, room = (text.size() - sizeof(Header)) / sizeof(Range);
  if (count > room) return error(ErrorKind::truncated, "more parts than the file has room for");
  PartsFile out;
  out.size_bytes = header.size_bytes;
  std::uint64_t data_at = sizeof(Header) + count * sizeof(Range), least = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    KF_TRY(auto range, read_at<Range>(bytes, sizeof(Header) + i * sizeof(Range)));
    KF_TRY(Bytes data, slice(bytes, data_at, range.size));
    if (range.offset < least || range.offset > out.size_bytes ||
        range.size > out.size_bytes - range.offset) {
      return error(ErrorKind::malformed, "part " + std::to_string(i) + " is out of place");
    }
    out.parts.push_back({range.offset, std::string(as_text(data))});
    data_at += range.size;
    least = range.offset + range.size;
  }
  return out;
}

std::string render_parts(const PartsFile& file) {
  std::string out(kMagic);
  put_le64(out, file.size_bytes);
  put_le64(out, file.parts.size());
  for (const auto& part : file.parts) {
    put_le64(out, part.offset);
    put_le64(out, part.bytes.size());
  }
  for (const auto& part : file.parts) out += part.bytes;
  return out;
}

std::unique_ptr<RandomAccess> open_parts(PartsFile file) {
  return std::make_unique<PartsAccess>(std::move(file));
}

}  // namespace kernelfit
