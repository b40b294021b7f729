// SPDX-License-Identifier: Apache-2.0
// One zstd frame in memory. Private to the room.
#pragma once
#include <cstddef>
#include <span>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

// The whole frame; an error where `into` is smaller than what it holds.
Result<std::size_t> zstd_whole(Bytes frame, std::span<std::byte> into);
// As much as the front of a frame gives, or `into` has room for.
Result<std::size_t> zstd_front(Bytes front, std::span<std::byte> into);
// The same in whole blocks only: no window is taken beside `into`.
Result<std::size_t> zstd_front_blocks(Bytes front, std::span<std::byte> into);

}  // namespace kernelfit
