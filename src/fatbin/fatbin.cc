// SPDX-License-Identifier: Apache-2.0
#include "fatbin/fatbin.h"

#include <algorithm>

#include "elf/block_access.h"
#include "fatbin/fatbin_format.h"

namespace kernelfit {

using namespace fatbin_format;  // NOLINT(google-build-using-namespace): this room's own

namespace {

// Limits against hostile files. Seen in 73 wheels: 5,737 entries in the named sections of one file,
// paddings of 8 zeros between containers.
constexpr std::size_t kMaxEntries = 100'000;
constexpr std::size_t kMaxContainers = 100'000;
constexpr std::size_t kMaxProblems = 16;
constexpr std::uint64_t kMaxPadding = std::uint64_t{64} << 10;

// Walks containers that lie back to back; what stands before a fault is kept.
class Walk {
 public:
  Walk(const RandomAccess& file, std::uint64_t offset, std::uint64_t end, std::string_view section,
       FatbinListing& listing)
      : file_(file), at_(offset), end_(end), section_(section), listing_(listing) {
    for (const auto& container : listing.containers) entries_ += container.entries.size();
  }

  void run() {
    while (at_ < end_ && skip_padding() && read_container()) {
    }
  }

 private:
  void problem(std::uint64_t offset, const std::string& text) {
    if (listing_.problems.size() < kMaxProblems) {
      listing_.problems.push_back("offset " + std::to_string(offset) + ": " + text);
    }
  }

  // Windows linkers align containers to 16, so zeros may stand between two. False at the end.
  bool skip_padding() {
    for (std::uint64_t limit = std::min(end_, at_ + std::min(end_ - at_, kMaxPadding));
         at_ < limit;) {
      const std::uint64_t step = std::min<std::uint64_t>(8, limit - at_);
      std::byte raw[8] = {};
      if (!file_.read(at_, std::span(raw).first(step))) return true;  // read_container says why
      if (!std::ranges::all_of(raw, [](std::byte b) { return b == std::byte{0}; })) return true;
      at_ += step;
    }
    return at_ < end_;
  }

  bool read_container() {
    const std::uint64_t start = at_, left = end_ - at_;
    auto header = left < sizeof(ContainerHeader)
                      ? Result<ContainerHeader>(error(ErrorKind::truncated, ""))
                      : read_at<ContainerHeader>(file_, at_);
    if (!header) {
      problem(start, "container header is cut off");
      return false;
    }
    if (header->magic != kMagic) {
      problem(start, "no fat binary container here (" + hex(header->magic) + ")");
      return false;
    }
    if (header->header_bytes != sizeof(ContainerHeader)) {
      problem(start, "container header of " + std::to_string(header->header_bytes) + " bytes");
      return false;
    }
    if (header->version != kVersion) {
      problem(start, "container version " + std::to_string(header->version) + " is not known");
    }
    if (listing_.containers.size() >= kMaxContainers) {
      problem(start, "more than " + std::to_string(kMaxContainers) + " containers");
      return false;
    }
    const std::uint64_t room = left - sizeof(ContainerHeader);
    const std::uint64_t size = std::min<std::uint64_t>(header->size_bytes, room);
    if (header->size_bytes > room) {
      problem(start, "container of " + hex(header->size_bytes) + " bytes, only " +
                         std::to_string(room) + " are left");
    }
    listing_.containers.push_back({section_, start, {}});
    const std::uint64_t first = start + sizeof(ContainerHeader);
    at_ = first + size;
    return read_entries(first, at_);
  }

  // False only where the whole listing ends: a broken chain ends its own container.
  bool read_entries(std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      if (entries_++ >= kMaxEntries) {
        problem(at, "more than " + std::to_string(kMaxEntries) + " entries");
        return false;
      }
      const std::uint64_t left = end - at;
      auto raw = left < kEntryHeader ? Result<EntryHeader>(error(ErrorKind::truncated, ""))
                                     : read_at<EntryHeader>(file_, at);
      if (!raw) {
        problem(at, "entry header is cut off");
        return true;
      }
      const std::uint32_t header_bytes = raw->header_bytes;
      if (header_bytes < kEntryHeader || header_bytes % 8 != 0 || header_bytes > left) {
        problem(at, "entry header of " + std::to_string(header_bytes) + " bytes");
        return true;
      }
      add_entry(*raw, at);
      if (raw->padded_bytes > left - header_bytes) {
        problem(at, "entry of " + hex(raw->padded_bytes) + " bytes is longer than its container");
        return true;
      }
      at += header_bytes + raw->padded_bytes;
    }
    return true;
  }

  void add_entry(const EntryHeader& raw, std::uint64_t at) {
    if (!known_kind(raw.kind)) {
      problem(at, "entry kind " + hex(raw.kind) + " is not known");
      return;
    }
    if (raw.arch < kMinArch || raw.arch > kMaxArch) {
      problem(at, "architecture " + std::to_string(raw.arch) + " is not known");
      return;
    }
    listing_.containers.back().entries.push_back(entry_of(raw, at));
  }

  const RandomAccess& file_;
  std::uint64_t at_, end_;
  std::string section_;
  FatbinListing& listing_;
  std::size_t entries_ = 0;
};

void walk(const RandomAccess& file, std::uint64_t offset, std::uint64_t size,
          std::string_view section, FatbinListing& listing) {
  const std::uint64_t start = std::min(offset, file.size());
  const std::uint64_t end = start + std::min(size, file.size() - start);
  Walk(file, start, end, section, listing).run();
}

}  // namespace

bool looks_like_fatbin(Bytes first_bytes) {
  const auto magic = read_at<le32>(first_bytes, 0);
  return magic && *magic == kMagic;
}

FatbinListing list_containers(const RandomAccess& raw, std::uint64_t offset, std::uint64_t size,
                              std::string_view section) {
  BlockAccess file(raw);
  FatbinListing listing;
  walk(file, offset, size, section, listing);
  return listing;
}

}  // namespace kernelfit
