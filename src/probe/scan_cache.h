// SPDX-License-Identifier: Apache-2.0
// What complete scans of libraries found, kept between runs in one small file of the user's cache
// folder: a library that is still the same (device, inode, size, time of change) is not read again.
// What another version of this program wrote, or anybody else, is thrown away and read anew.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/host.h"
#include "machine/images.h"

namespace kernelfit {

// The table as it is written, newest first: what a file is known by, and what it holds. Empty where
// `text` is not what this program (its stamp) wrote: all of it counts, or nothing.
std::vector<std::pair<std::string, BinaryImages>> read_scan_table(std::string_view text,
                                                                  std::string_view program);

class ScanCache {
 public:
  // `use` false: nothing is found, nothing kept (--no-cache).
  ScanCache(const Host& host, bool use);

  // What is known of this file, its path left empty; null where it has to be read.
  const BinaryImages* find(const FileInfo& file) const;
  void add(const FileInfo& file, BinaryImages images);
  // Writes what is new; what cannot be written is simply read again next time.
  void save() const;

  std::size_t size() const { return files_.size(); }

 private:
  void load();

  const Host& host_;
  bool use_;
  bool changed_ = false;
  std::string program_;
  std::vector<std::string> newest_first_;  // keys
  std::map<std::string, BinaryImages, std::less<>> files_;
};

}  // namespace kernelfit
