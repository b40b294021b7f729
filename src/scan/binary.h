// SPDX-License-Identifier: Apache-2.0
// One binary, read in place or as a stream. For this room only.
#pragma once
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/stream.h"
#include "scan/reread.h"
#include "scan/scan.h"

namespace kernelfit {

enum class BinaryKind { none, elf, cubin, pe, fatbin, ptx, hip };
BinaryKind sniff_binary(Bytes first_bytes);

// Fill everything of `file` but path and member. Of something that is no binary, the containers in
// it are searched ("data").
void scan_binary_into(const RandomAccess& access, const ScanOptions& options, FileScan& file);
// The same of a stream, which runs past once. Where that does not tell all that its bytes on disk
// would, `reopen` gives it again; where it cannot, a problem says so.
void scan_stream_into(ByteStream& stream, std::uint64_t size_bytes, const Reopen& reopen,
                      const ScanOptions& options, FileScan& file);

}  // namespace kernelfit
