// SPDX-License-Identifier: Apache-2.0
// The GPU code of a library's files: from the cache where they were read before, else read now,
// several at a time.
#include <atomic>

#include "elf/elf_file.h"
#include "pe/pe_file.h"
#include "probe/environments.h"
#include "scan/scan.h"
#include "scan/threads.h"

namespace kernelfit {
namespace {

// Notes that not everything could be had: a recorded machine keeps parts of its files only, and on
// a slow disk the time is up before half a gigabyte has been searched.
class NotingAccess : public RandomAccess {
 public:
  NotingAccess(const RandomAccess& file, const TimeLimit& limit) : file_(file), limit_(limit) {}
  std::uint64_t size() const override { return file_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    Status status = lacks_ || limit_.is_over() ? Status(error(ErrorKind::timeout, "the time is up"))
                                               : file_.read(offset, into);
    if (status) return status;
    const ErrorKind kind = status.error().kind;
    if (kind == ErrorKind::unsupported || kind == ErrorKind::timeout) lacks_ = true;
    return status;
  }
  bool lacks() const { return lacks_; }

 private:
  const RandomAccess& file_;
  const TimeLimit& limit_;
  mutable std::atomic<bool> lacks_ = false;
};

// Nothing can load a library without its table of sections, whatever could be found in it.
Status check_library(const RandomAccess& file, const std::string& path) {
  std::byte first[4] = {};
  const bool read = file.read(0, first).has_value();
  if (read && looks_like_elf(first)) {
    auto elf = parse_elf(file);
    return elf ? Status() : Status(tl::unexpected(elf.error()));
  }
  if (read && looks_like_pe(first)) {
    auto pe = parse_pe(file);
    return pe ? Status() : Status(tl::unexpected(pe.error()));
  }
  return error(ErrorKind::malformed, path + ": offset 0: neither an ELF nor a PE library");
}

// Everything; where not all of it could be had, the named sections. What is wrong with a library is
// wrong there too: bytes elsewhere that look like a broken container are no fault of it.
FileScan scan_library(const RandomAccess& file, const TimeLimit* limit, bool& complete) {
  ScanOptions sections;
  sections.threads = 1;
  sections.sections_only = true;
  complete = false;
  if (limit == nullptr) return scan_binary(file, sections);
  ScanOptions all = sections;
  all.sections_only = false;
  const NotingAccess noting(file, *limit);
  FileScan scan = scan_binary(noting, all);
  if (noting.lacks()) return scan_binary(file, sections);
  if (!scan.problems.empty()) scan.problems = scan_binary(file, sections).problems;
  complete = true;
  return scan;
}

Result<BinaryImages> read_binary_images(const Host& host, const std::string& path,
                                        const TimeLimit* limit, bool& complete) {
  KF_TRY(std::unique_ptr<RandomAccess> file, host.open_file(path));
  // A recorded machine can hold a library by its name alone.
  if (host.is_recorded() && file->size() == 0) return BinaryImages();
  if (Status status = check_library(*file, path); !status) return tl::unexpected(status.error());
  return binary_images(scan_library(*file, limit, complete));
}

}  // namespace

std::vector<Result<BinaryImages>> read_binaries(const Host& host,
                                                const std::vector<std::string>& paths,
                                                const BinaryReading& reading) {
  std::vector<Result<BinaryImages>> out(paths.size());
  std::vector<char> complete(paths.size());
  std::vector<FileInfo> files(paths.size());
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (auto info = host.file_info(paths[i])) files[i] = *info;
    const BinaryImages* known = reading.cache != nullptr ? reading.cache->find(files[i]) : nullptr;
    if (known != nullptr) {
      out[i] = *known;
    } else {
      unknown.push_back(i);
    }
  }
  in_parallel(unknown.size(), 0, [&](std::size_t i, std::size_t) {
    bool whole = false;
    out[unknown[i]] = read_binary_images(host, paths[unknown[i]], reading.search, whole);
    complete[unknown[i]] = whole ? 1 : 0;
  });
  for (const std::size_t i : unknown) {
    if (out[i] && complete[i] != 0 && reading.cache) reading.cache->add(files[i], *out[i]);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (out[i]) out[i]->file = paths[i];
  }
  return out;
}

}  // namespace kernelfit
