// SPDX-License-Identifier: Apache-2.0
#include "fatbin/container_scan.h"

#include <algorithm>
#include <array>

#include "fatbin/cubin.h"
#include "fatbin/fatbin_format.h"
#include "fatbin/hip_bundle.h"
#include "fatbin/magic_search.h"

namespace kernelfit {

using namespace fatbin_format;  // NOLINT(google-build-using-namespace): this room's own

namespace {

// What a false magic in program code does not get right by chance.
bool believable(const EntryHeader& entry, std::uint64_t room) {
  const std::uint32_t header_bytes = entry.header_bytes;
  return entry.version == kEntryVersion && known_kind(entry.kind) && header_bytes >= kEntryHeader &&
         header_bytes <= kMaxEntryHeader && header_bytes % 8 == 0 && header_bytes <= room &&
         entry.arch >= kMinArch && entry.arch <= kMaxArch;
}

std::uint64_t aligned4(std::uint64_t at) {
  return at + (4 - at % 4) % 4;
}

}  // namespace

ContainerScan::ContainerScan(ContainerVisitor& visitor, std::uint64_t size_bytes,
                             const ScanLimits& limits)
    : visitor_(visitor), size_(size_bytes), limits_(limits) {}

std::uint64_t ContainerScan::feed(std::uint64_t at, Bytes bytes, bool last) {
  Step step{at, false};
  const std::uint64_t end = at + bytes.size();
  while (!step.more && step.next < end) {
    const Bytes rest = bytes.subspan(step.next - at);
    switch (state_) {
      case State::search: step = search(step.next, rest, last); break;
      case State::entries: step = read_entry(step.next, rest, last); break;
      case State::payload:
      case State::bare: step = collect(step.next, rest, last); break;
    }
  }
  return step.next;
}

ContainerScan::Step ContainerScan::search(std::uint64_t at, Bytes bytes, bool last) {
  // Words are looked at on multiples of 4 of the whole, not of this piece.
  const std::uint64_t skew = aligned4(at) - at;
  if (skew != 0) {
    return bytes.size() <= skew ? Step{at, true} : Step{at + skew, false};
  }
  const std::size_t found = find_magic(bytes, 0);
  const std::uint64_t next = at + found;
  if (found + 4 > bytes.size()) return {next, true};
  return candidate(next, bytes.subspan(found), last);
}

ContainerScan::Step ContainerScan::candidate(std::uint64_t at, Bytes bytes, bool last) {
  if (read_at<le32>(bytes, 0).value() == kMagic) return container_candidate(at, bytes, last);
  if (bytes.size() < kStep && !last) return {at, true};
  if (looks_like_cubin(bytes)) return cubin_candidate(at, bytes, last);
  if (looks_like_hip_bundle(bytes)) {
    visitor_.hip_bundle(at, bytes.first(std::min(bytes.size(), kStep)));
  }
  return {at + 4, false};
}

ContainerScan::Step ContainerScan::container_candidate(std::uint64_t at, Bytes bytes, bool last) {
  constexpr std::size_t need = sizeof(ContainerHeader) + kEntryHeader;
  if (bytes.size() < need && !last) return {at, true};
  const Step no{at + 4, false};
  const auto header = read_at<ContainerHeader>(bytes, 0);
  if (!header || header->version != kVersion || header->header_bytes != sizeof(ContainerHeader)) {
    return no;
  }
  const std::uint64_t room = size_ - at - sizeof(ContainerHeader), size = header->size_bytes;
  if (size != 0) {
    const auto entry = read_at<EntryHeader>(bytes, sizeof(ContainerHeader));
    if (!entry || !believable(*entry, std::min(size, room))) return no;
  }
  visitor_.container(at);
  if (size > room) {
    visitor_.problem(
        at, "container of " + hex(size) + " bytes, only " + std::to_string(room) + " are left");
  }
  container_end_ = at + sizeof(ContainerHeader) + std::min(size, room);
  state_ = State::entries;
  return {at + sizeof(ContainerHeader), false};
}

ContainerScan::Step ContainerScan::cubin_candidate(std::uint64_t at, Bytes bytes, bool) {
  auto size = cubin_size(bytes);
  if (!size || *size > size_ - at) return {at + 4, false};
  const Bytes header = bytes.first(std::min(bytes.size(), kStep));
  if (!visitor_.bare_cubin(at, *size, header) || *size > limits_.payload_bytes) {
    return {at + *size, false};
  }
  collected_.clear();
  bare_at_ = at;
  payload_end_ = after_payload_ = at + *size;
  state_ = State::bare;
  return {at, false};
}

ContainerScan::Step ContainerScan::read_entry(std::uint64_t at, Bytes bytes, bool last) {
  if (at >= container_end_) {
    state_ = State::search;
    return {at, false};
  }
  if (bytes.size() < kEntryHeader && container_end_ - at >= kEntryHeader && !last) {
    return {at, true};
  }
  const std::uint64_t left = container_end_ - at;
  const auto raw = left < kEntryHeader ? Result<EntryHeader>(error(ErrorKind::truncated, ""))
                                       : read_at<EntryHeader>(bytes, 0);
  state_ = State::search;  // unless the chain goes on
  if (!raw || raw->header_bytes < kEntryHeader || raw->header_bytes % 8 != 0 ||
      raw->header_bytes > left) {
    visitor_.problem(at, raw ? "entry header of " + std::to_string(raw->header_bytes) + " bytes"
                             : "entry header is cut off");
    return {at + 4, false};
  }
  if (++entries_ > limits_.entries) {
    visitor_.problem(at, "more than " + std::to_string(limits_.entries) + " entries");
    return {size_, true};
  }
  const std::uint64_t room = left - raw->header_bytes, padded = raw->padded_bytes;
  bool wanted = false;
  if (!known_kind(raw->kind)) {
    visitor_.problem(at, "entry kind " + hex(raw->kind) + " is not known");
  } else if (raw->arch < kMinArch || raw->arch > kMaxArch) {
    visitor_.problem(at, "architecture " + std::to_string(raw->arch) + " is not known");
  } else {
    entry_ = entry_of(*raw, at);
    wanted = visitor_.entry(entry_) && entry_.stored_bytes <= limits_.payload_bytes;
  }
  if (padded > room) {
    visitor_.problem(at, "entry of " + hex(padded) + " bytes is longer than its container");
    return {at + kEntryHeader, false};
  }
  state_ = State::entries;
  const std::uint64_t payload = at + raw->header_bytes;
  if (!wanted) return {payload + padded, false};
  collected_.clear();
  payload_end_ = payload + entry_.stored_bytes;
  after_payload_ = payload + padded;
  state_ = State::payload;
  return {payload, false};
}

ContainerScan::Step ContainerScan::collect(std::uint64_t at, Bytes bytes, bool last) {
  const auto take =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), payload_end_ - at));
  collected_.insert(collected_.end(), bytes.begin(),
                    bytes.begin() + static_cast<std::ptrdiff_t>(take));
  const std::uint64_t now = at + take;
  const bool bare = state_ == State::bare;
  if (now < payload_end_) {
    if (!last) return {now, true};
    visitor_.problem(bare ? bare_at_ : entry_.offset, "image is cut off");
    state_ = bare ? State::search : State::entries;
    return {now, true};
  }
  if (bare) {
    visitor_.bare_payload(bare_at_, collected_);
  } else {
    visitor_.payload(entry_, collected_);
  }
  state_ = bare ? State::search : State::entries;
  return {after_payload_, false};
}

Status scan_access(const RandomAccess& file, std::uint64_t offset, std::uint64_t end,
                   ContainerVisitor& visitor, const ScanLimits& limits,
                   const std::function<std::uint64_t(std::uint64_t)>& next_data) {
  constexpr std::size_t kLargest = std::size_t{128} << 10;
  thread_local std::vector<std::byte> buffer(kLargest);
  ContainerScan scan(visitor, end, limits);
  std::size_t amount = kLargest;
  for (std::uint64_t at = offset; at < end;) {
    if (next_data && scan.may_pass_zeros()) {
      at = std::min(next_data(at), end);
      if (at == end) break;
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(amount, end - at));
    const std::span<std::byte> part = std::span(buffer).first(count);
    if (Status status = file.read(at, part); !status) return status;
    const bool last = at + count == end;
    const std::uint64_t next = scan.feed(at, part, last);
    if (last && next <= end) break;
    // A jump means headers far apart: read little there. Search goes through everything: read much.
    amount = next > at + count ? ContainerScan::kStep : std::min(kLargest, amount * 4);
    at = next;
  }
  return {};
}

Status scan_stream(ByteStream& stream, std::uint64_t size_bytes, ContainerVisitor& visitor,
                   const ScanLimits& limits) {
  constexpr std::size_t kBuffer = std::size_t{256} << 10;
  std::vector<std::byte> buffer(kBuffer);
  ContainerScan scan(visitor, size_bytes, limits);
  std::uint64_t at = 0;
  std::size_t kept = 0;
  for (bool last = false; !last;) {
    const auto got = stream.read(std::span(buffer).subspan(kept));
    if (!got) {
      scan.feed(at, std::span(buffer).first(kept), true);
      return tl::unexpected(got.error());
    }
    last = *got == 0;
    const std::size_t have = kept + *got;
    const std::uint64_t next = scan.feed(at, std::span(buffer).first(have), last);
    if (next >= at + have) {
      KF_TRY(std::uint64_t skipped, stream.skip(next - at - have));
      if (skipped < next - at - have) {
        visitor.problem(at + have + skipped, "the container that begins before is cut off");
        return {};
      }
      kept = 0;
    } else {
      kept = static_cast<std::size_t>(at + have - next);
      std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(have - kept),
                buffer.begin() + static_cast<std::ptrdiff_t>(have), buffer.begin());
    }
    at = next;
  }
  return {};
}

}  // namespace kernelfit
