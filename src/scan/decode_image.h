// SPDX-License-Identifier: Apache-2.0
// One image out of a container: decompressed, and its kernels. For this room only.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "fatbin/fatbin.h"

namespace kernelfit {

// Bytes that are not set to zero first, kept for the next image where they are not too many.
class ReusedBytes {
 public:
  std::span<std::byte> of(std::size_t size, std::size_t keep = 0);  // the first `keep` bytes stay
  void give_back_much();

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t room_ = 0;
};

// One per thread: its memory is used again for image after image. Where an image lies is told apart
// from its entry: in a file at `payload_at`, of a stream in a buffer of its own. Errors name the
// offset of the entry.
class ImageDecoder {
 public:
  // What the payload holds once decompressed; valid until the next call.
  Result<Bytes> decode(const FatbinEntry& entry, const RandomAccess& from,
                       std::uint64_t payload_at);
  // Mangled names, unsorted, of as little of the image as tells them. LTO-IR is
  // ErrorKind::unsupported: its kernels are not known.
  Result<std::vector<std::string>> kernels(const FatbinEntry& entry, const RandomAccess& from,
                                           std::uint64_t payload_at);
  // The same of an image that was decoded.
  static Result<std::vector<std::string>> kernels_in(const FatbinEntry& entry, Bytes image);

 private:
  Result<Bytes> read_front(const FatbinEntry& entry, const RandomAccess& from,
                           std::uint64_t payload_at, std::uint64_t count);
  Result<Bytes> decode_whole(const FatbinEntry& entry, const RandomAccess& from,
                             std::uint64_t payload_at);
  bool told_by_front(const FatbinEntry& entry, const RandomAccess& from, std::uint64_t payload_at,
                     std::vector<std::string>& kernels);

  ReusedBytes stored_, code_;
};

}  // namespace kernelfit
