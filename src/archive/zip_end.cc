// SPDX-License-Identifier: Apache-2.0
#include "archive/zip_end.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "archive/zip_records.h"

namespace kernelfit {
namespace {

struct Found {
  ZipEnd end;
  std::uint64_t at = 0, behind = 0;
};

// The last record whose comment ends with the file; else the last whose comment fits.
std::optional<Found> search(Bytes tail, std::uint64_t tail_at) {
  std::optional<Found> fits;
  for (std::size_t at = tail.size() - sizeof(ZipEnd) + 1; at-- > 0;) {
    if (tail[at] != std::byte{'P'} || tail[at + 1] != std::byte{'K'}) continue;
    auto end = read_at<ZipEnd>(tail, at);
    if (!end || end->signature != kZipEnd) continue;
    const std::size_t left = tail.size() - at - sizeof(ZipEnd);
    if (end->comment_size > left) continue;
    Found found{*end, tail_at + at, left - end->comment_size};
    if (found.behind == 0) return found;
    if (!fits) fits = found;
  }
  return fits;
}

Result<Found> find_end(const TailAccess& file) {
  if (file.size() < sizeof(ZipEnd)) {
    return error(ErrorKind::truncated, "offset 0: shorter than a zip can be");
  }
  if (auto found = search(file.tail(), file.tail_at())) return *found;
  return error(ErrorKind::truncated, "offset " + std::to_string(file.size()) +
                                         ": no central directory at the end; the zip is cut");
}

// The 64-bit record, where a locator stands before the end record: at its offset, or, with bytes
// before the first member, right before the locator.
std::optional<std::pair<Zip64End, std::uint64_t>> find_zip64(const RandomAccess& file,
                                                             std::uint64_t end_at) {
  if (end_at < sizeof(Zip64Locator)) return std::nullopt;
  const std::uint64_t locator_at = end_at - sizeof(Zip64Locator);
  auto locator = read_at<Zip64Locator>(file, locator_at);
  if (!locator || locator->signature != kZip64Locator) return std::nullopt;
  for (const std::uint64_t at : {std::uint64_t{locator->offset}, locator_at - sizeof(Zip64End)}) {
    if (at >= locator_at || locator_at - at < sizeof(Zip64End)) continue;
    auto record = read_at<Zip64End>(file, at);
    if (record && record->signature == kZip64End) return std::pair{*record, at};
  }
  return std::nullopt;
}

bool starts_with_member(const RandomAccess& file, std::uint64_t at) {
  auto signature = read_at<le32>(file, at);
  return signature && *signature == kZipCentral;
}

tl::unexpected<Error> lies(std::uint64_t at, std::uint64_t size, std::uint64_t offset) {
  return error(ErrorKind::malformed, "offset " + std::to_string(at) +
                                         ": the end record claims a central directory of " +
                                         std::to_string(size) + " bytes at " +
                                         std::to_string(offset) + ", where none is");
}

// The directory ends where the end record begins; what its offset lacks is the prefix. Writers
// that leave a gap behind the directory are believed by the offset.
Result<ZipPlace> place(const RandomAccess& file, ZipPlace where, std::uint64_t offset,
                       std::uint64_t end_at) {
  const bool fits = where.directory_size <= end_at && offset <= end_at - where.directory_size;
  if (!fits) return lies(end_at, where.directory_size, offset);
  where.directory_at = end_at - where.directory_size;
  where.prefix = where.directory_at - offset;
  if (where.prefix == 0 || where.directory_size == 0) return where;
  if (starts_with_member(file, where.directory_at)) return where;
  if (!starts_with_member(file, offset)) return lies(end_at, where.directory_size, offset);
  where.directory_at = offset;
  where.prefix = 0;
  return where;
}

}  // namespace

Result<ZipPlace> find_zip_directory(const TailAccess& file) {
  KF_TRY(Found found, find_end(file));
  const ZipEnd& end = found.end;
  ZipPlace where;
  where.behind = found.behind;
  if (auto zip64 = find_zip64(file, found.at)) {
    where.entries = zip64->first.entries;
    where.directory_size = zip64->first.size;
    return place(file, where, zip64->first.offset, zip64->second);
  }
  if (end.disk != 0 || end.directory_disk != 0) {
    return error(ErrorKind::unsupported,
                 "offset " + std::to_string(found.at) + ": a zip in several parts");
  }
  where.entries = end.entries;
  where.directory_size = end.size;
  return place(file, where, end.offset, found.at);
}

}  // namespace kernelfit
