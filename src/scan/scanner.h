// SPDX-License-Identifier: Apache-2.0
// Goes through folders and archives and gives each binary to scan/binary.h. For this room only.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "codec/codec.h"
#include "host/host.h"
#include "scan/scan.h"
#include "scan/threads.h"

namespace kernelfit {

// Where something lies, and how it was come by.
struct Place {
  std::string path;
  std::string member;  // empty: the file itself
  int depth = 0;       // archives around it
  bool named = false;  // on the command line: it is always reported

  Place inside(std::string_view name) const;
};

class Scanner {
 public:
  Scanner(const Host& host, const ScanOptions& options) : host_(host), options_(options) {}
  ScanReport run(const std::vector<std::string>& paths);

 private:
  void path(const Place& place);
  void folder(const std::string& path, int depth);
  void file(const Place& place);
  // Something that can be read in place; `keep` outlives the jobs that are made of it.
  void access(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  void zip(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  void zip_member(const std::shared_ptr<const RandomAccess>& access, const ZipMember& member,
                  const Place& place);
  void ar(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  // Something that runs past. `size`: where it is known, else the largest number.
  void stream(std::unique_ptr<ByteStream> stream, std::uint64_t size, const Place& place);
  void tar(ByteStream& stream, const Place& place);

  bool too_deep(const Place& place);
  bool cancelled() const { return options_.cancelled && *options_.cancelled; }
  void add(FileScan file, const Place& place);
  void unreadable(const Place& place, const std::string& problem);
  void problem(const Place& place, const std::string& text);
  // False where the same file or folder came by already under another name.
  bool first_time(const FileInfo& info);

  const Host& host_;
  const ScanOptions& options_;
  JobQueue jobs_;
  std::mutex mutex_;
  ScanReport report_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;
};

}  // namespace kernelfit
