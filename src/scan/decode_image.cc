// SPDX-License-Identifier: Apache-2.0
#include "scan/decode_image.h"

#include "codec/codec.h"
#include "fatbin/cubin.h"
#include "fatbin/ptx.h"

namespace kernelfit {
namespace {

// The largest image seen in 73 wheels has 167 MB (docs/fatbin.md).
constexpr std::uint64_t kMaxImage = std::uint64_t{512} << 20;

// An image of more than 2 GB comes as an LZ4 frame under the flag of an LZ4 block.
Codec codec_of(const FatbinEntry& entry, Bytes stored) {
  if (entry.compression == "zstd") return Codec::zstd;
  if (entry.compression != "lz4") return Codec::stored;
  return sniff_codec(stored) == Codec::lz4_frame ? Codec::lz4_frame : Codec::lz4_block;
}

Result<std::vector<std::byte>> decode(const FatbinEntry& entry, Bytes stored) {
  if (entry.obfuscated) return error(ErrorKind::unsupported, "the image is obfuscated");
  if (entry.compression == "unknown") {
    return error(ErrorKind::unsupported, "compression is not known");
  }
  const Codec codec = codec_of(entry, stored);
  if (codec == Codec::stored) return std::vector<std::byte>(stored.begin(), stored.end());
  if (entry.code_bytes > kMaxImage) {
    return error(ErrorKind::unsupported, "image of " + std::to_string(entry.code_bytes) + " bytes");
  }
  KF_TRY(auto out, decode_block(codec, stored, entry.code_bytes, entry.code_bytes));
  if (out.size() == entry.code_bytes) return out;
  return error(ErrorKind::malformed, "decodes to " + std::to_string(out.size()) + " bytes, not " +
                                         std::to_string(entry.code_bytes));
}

}  // namespace

Result<std::vector<std::byte>> decode_image(const FatbinEntry& entry, Bytes stored) {
  auto out = decode(entry, stored);
  if (out) return out;
  return tl::unexpected(std::move(out.error()).in("offset " + std::to_string(entry.offset)));
}

Result<std::vector<std::string>> kernels_in(const GpuArch& arch, Bytes image) {
  if (arch.kind == GpuArch::Kind::lto) {
    return error(ErrorKind::unsupported, "LTO-IR names no kernels");
  }
  if (arch.kind == GpuArch::Kind::ptx) {
    KF_TRY(Ptx ptx, parse_ptx(as_text(image)));
    return std::move(ptx.kernels);
  }
  KF_TRY(Cubin cubin, parse_cubin(image, CubinDetail::kernels));
  return std::move(cubin.kernels);
}

}  // namespace kernelfit
