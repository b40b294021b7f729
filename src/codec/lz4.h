// SPDX-License-Identifier: Apache-2.0
// One LZ4 block in memory. Private to the room.
#pragma once
#include <cstddef>
#include <span>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

// The whole block; an error where `into` is smaller than what it holds.
Result<std::size_t> lz4_whole(Bytes block, std::span<std::byte> into);
// As much as the front of a block gives, or `into` has room for.
Result<std::size_t> lz4_front(Bytes front, std::span<std::byte> into);

}  // namespace kernelfit
