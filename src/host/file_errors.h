// SPDX-License-Identifier: Apache-2.0
// What the hosts of every system say of a file that is not as long as it should be.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.h"

namespace kernelfit {

inline tl::unexpected<Error> too_large(const std::string& path, std::uint64_t size,
                                       std::size_t limit) {
  return error(ErrorKind::unsupported,
               path + ": " + std::to_string(size) + " bytes, more than " + std::to_string(limit));
}

inline tl::unexpected<Error> past_the_end(const std::string& path, std::uint64_t size,
                                          std::uint64_t offset, std::size_t wanted) {
  return error(ErrorKind::truncated, path + ": needs " + std::to_string(wanted) +
                                         " bytes at offset " + std::to_string(offset) + " of " +
                                         std::to_string(size));
}

}  // namespace kernelfit
