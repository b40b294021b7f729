// SPDX-License-Identifier: Apache-2.0
// Where the central directory of a zip is. Private to the room.
#pragma once
#include <cstdint>

#include "archive/tail_access.h"
#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

struct ZipPlace {
  std::uint64_t directory_at = 0;  // in the file
  std::uint64_t directory_size = 0;
  std::uint64_t entries = 0;  // as the archive says
  std::uint64_t prefix = 0;   // bytes before the first member: offsets count from there
  std::uint64_t behind = 0;   // bytes behind the end record and its comment
};

// As much of the end of a zip as an end record with the longest comment needs.
constexpr std::uint64_t kZipTail = 22 + 65'535;

Result<ZipPlace> find_zip_directory(const TailAccess& file);

}  // namespace kernelfit
