// SPDX-License-Identifier: Apache-2.0
// What a real file can do beyond being read: holes are known without reading them, a disk can be
// told what comes, and what is in memory is told from what must be waited for. Everything has an
// answer that is right for any RandomAccess, so a reader asks and goes on.
#pragma once
#include "base/bytes.h"

namespace kernelfit {

class FileAccess : public RandomAccess {
 public:
  // Where the next bytes that are no hole begin, at or behind `from`; the file's size where there
  // are none. What lies before it reads as zeros.
  virtual std::uint64_t next_data(std::uint64_t from) const { return from; }
  // False: reading this byte waits for a disk.
  virtual bool in_memory(std::uint64_t /*offset*/) const { return true; }
  // Reads far apart will come (the system then reads nothing ahead), or one behind the other.
  virtual void expect_far_apart(bool /*far_apart*/) const {}
};

inline const FileAccess* as_file(const RandomAccess& access) {
  return dynamic_cast<const FileAccess*>(&access);
}

}  // namespace kernelfit
