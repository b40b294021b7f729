// SPDX-License-Identifier: Apache-2.0
// Compressed bytes back to what they were. The libraries for it are bought and known in this room
// only: ISA-L or zlib (deflate), libzstd, liblz4, liblzma, libbz2.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/stream.h"

namespace kernelfit {

// zip_lzma: LZMA as method 14 of a zip has it, its properties before it.
enum class Codec { stored, deflate, gzip, zlib, zstd, xz, bzip2, lz4_block, lz4_frame, zip_lzma };

// By the first bytes of a file: gzip, zstd, xz, bzip2, lz4_frame; else stored.
Codec sniff_codec(Bytes first_bytes);

std::string_view codec_name(Codec codec);  // "gzip", "LZ4 frame"

// A stream of what `from` holds compressed. Corrupt or cut data is an error that names the offset
// in the compressed stream; what was read before stands. More than `limit_bytes` of output is
// ErrorKind::unsupported ("a bomb"). Several gzip members, zstd or LZ4 frames, xz or bzip2 streams
// one after another count as one; zeros behind gzip are padding. Raw deflate and zlib end where
// they end: what follows is left alone. A window of more than 128 MiB (zstd) or a dictionary of
// more than 80 MiB (xz, LZMA) is ErrorKind::unsupported.
// Deflate is quickest when it is read in pieces of 64 KiB and more.
// Not for lz4_block, whose end cannot be told.
std::unique_ptr<ByteStream> decode(Codec codec, std::unique_ptr<ByteStream> from,
                                   std::uint64_t limit_bytes);

// One compressed image (an LZ4 block or a zstd frame) in memory.
//   wanted_bytes  how many bytes from the front are wanted; the rest need not be decoded
//   exact_bytes   what the whole image decodes to, as its header says
// The result has wanted_bytes, or less only where the image is shorter. Corrupt data is an error.
// Never allocates more than wanted_bytes and a window. `stored`, `lz4_block`, `lz4_frame`, `zstd`.
Result<std::vector<std::byte>> decode_block(Codec codec, Bytes compressed,
                                            std::uint64_t wanted_bytes, std::uint64_t exact_bytes);

// The same into a buffer of the caller, who keeps it for the next image; returns how many bytes.
Result<std::size_t> decode_block_into(Codec codec, Bytes compressed, std::span<std::byte> into,
                                      std::uint64_t exact_bytes);

// False where so many bytes can never come of an image of this size: no memory is taken for them.
bool may_decode_to(Codec codec, std::uint64_t compressed_bytes, std::uint64_t exact_bytes);

// What can be decoded from the front of a compressed image alone: fewer bytes than `into` where
// `front` does not reach further. For headers of images that need not be read whole.
Result<std::size_t> decode_front_into(Codec codec, Bytes front, std::span<std::byte> into);

// The same, quicker: zstd stops behind its last whole block that fits, up to 128 KiB before the end
// of `into`.
Result<std::size_t> decode_front_blocks(Codec codec, Bytes front, std::span<std::byte> into);

// CRC-32 as gzip and zip have it: crc32_update(0, whole) == crc32_update(crc32_update(0, a), b).
std::uint32_t crc32_update(std::uint32_t before, Bytes bytes);

}  // namespace kernelfit
