// SPDX-License-Identifier: Apache-2.0
// Compressed bytes back to what they were. The libraries for it are bought and known in this room
// only: ISA-L or zlib (deflate), libzstd, liblz4, liblzma, libbz2.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/stream.h"

namespace kernelfit {

enum class Codec { stored, deflate, gzip, zlib, zstd, xz, bzip2, lz4_block, lz4_frame };

// By the first bytes of a file: gzip, zstd, xz, bzip2, lz4_frame; else stored.
Codec sniff_codec(Bytes first_bytes);

// A stream of what `from` holds compressed. Corrupt or cut data is an error that names the offset
// in the compressed stream. More than `limit_bytes` of output is ErrorKind::unsupported ("a bomb").
// Several gzip members, zstd frames or xz streams one after another count as one.
// Not for lz4_block, whose end cannot be told.
std::unique_ptr<ByteStream> decode(Codec codec, std::unique_ptr<ByteStream> from,
                                   std::uint64_t limit_bytes);

// One compressed image (an LZ4 block or a zstd frame) in memory.
//   wanted_bytes  how many bytes from the front are wanted; the rest need not be decoded
//   exact_bytes   what the whole image decodes to, as its header says
// The result has wanted_bytes, or less only where the image is shorter. Corrupt data is an error.
// Never allocates more than wanted_bytes and a window.
Result<std::vector<std::byte>> decode_block(Codec codec, Bytes compressed,
                                            std::uint64_t wanted_bytes, std::uint64_t exact_bytes);

}  // namespace kernelfit
