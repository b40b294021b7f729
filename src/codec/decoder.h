// SPDX-License-Identifier: Apache-2.0
// One codec's state, fed piece by piece. Private to the room: `decode` makes a ByteStream of it.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/bytes.h"
#include "codec/codec.h"

namespace kernelfit {

struct DecodeStep {
  std::size_t taken = 0;  // of the input
  std::size_t given = 0;  // of the output
  bool ended = false;     // a member is complete; the next call begins another
  std::string fault;      // why it cannot go on; `given` stands all the same
  ErrorKind kind = ErrorKind::malformed;
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Decodes what it can. `last`: no input will follow `in`. Neither taken nor given: needs more.
  virtual DecodeStep step(Bytes in, std::span<std::byte> out, bool last) = 0;
};

std::unique_ptr<Decoder> make_deflate(Codec codec);  // deflate, gzip, zlib: the faster one here
std::unique_ptr<Decoder> make_deflate_zlib(Codec codec);
std::unique_ptr<Decoder> make_zstd();
std::unique_ptr<Decoder> make_lz4_frame();
std::unique_ptr<Decoder> make_xz();
std::unique_ptr<Decoder> make_zip_lzma();
std::unique_ptr<Decoder> make_bzip2();

}  // namespace kernelfit
