// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "codec/codec.h"

namespace kernelfit {
namespace {

using namespace std::string_view_literals;

// bzip2's fourth byte is the block size, '1' to '9'; its next six are pi.
bool is_bzip2(std::string_view text) {
  return text.size() >= 4 && text.starts_with("BZh") && text[3] >= '1' && text[3] <= '9' &&
         (text.size() < 10 || text.substr(4, 6) == "1AY&SY"sv ||
          text.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv);
}

// A frame, or one of the skippable frames (0x184d2a50 to 0x184d2a5f) that may stand before it.
bool is_zstd(std::string_view text) {
  if (text.starts_with("\x28\xb5\x2f\xfd"sv)) return true;
  return text.size() >= 4 && (text[0] & 0xf0) == 0x50 && text.substr(1, 3) == "\x2a\x4d\x18"sv;
}

}  // namespace

Codec sniff_codec(Bytes first_bytes) {
  const std::string_view text = as_text(first_bytes);
  if (text.starts_with("\x1f\x8b\x08"sv)) return Codec::gzip;
  if (text.starts_with("\xfd"
                       "7zXZ\0"sv)) {
    return Codec::xz;
  }
  if (text.starts_with("\x04\x22\x4d\x18"sv)) return Codec::lz4_frame;
  if (is_zstd(text)) return Codec::zstd;
  return is_bzip2(text) ? Codec::bzip2 : Codec::stored;
}

std::string_view codec_name(Codec codec) {
  switch (codec) {
    case Codec::stored: return "stored";
    case Codec::deflate: return "deflate";
    case Codec::gzip: return "gzip";
    case Codec::zlib: return "zlib";
    case Codec::zstd: return "zstd";
    case Codec::xz: return "xz";
    case Codec::bzip2: return "bzip2";
    case Codec::lz4_block: return "LZ4";
    case Codec::lz4_frame: return "LZ4 frame";
    case Codec::zip_lzma: return "LZMA";
  }
  return "";
}

}  // namespace kernelfit
