// SPDX-License-Identifier: Apache-2.0
#include "archive/tar_header.h"

#include "base/text.h"

namespace kernelfit {
namespace {

using namespace std::string_view_literals;

struct Field {
  std::size_t at, size;
};
constexpr Field kName{0, 100}, kSize{124, 12}, kChecksum{148, 8}, kLink{157, 100}, kMagic{257, 8},
    kPrefix{345, 155};
constexpr std::size_t kTypeAt = 156;

Bytes field(Bytes block, Field f) {
  return block.subspan(f.at, f.size);
}

std::string text_of(Bytes block, Field f) {
  const std::string_view text = as_text(field(block, f));
  return std::string(text.substr(0, text.find('\0')));
}

// Over all bytes, the checksum's own as spaces. Old tars added signed characters.
bool checksum_fits(Bytes block) {
  auto expected = parse_tar_number(field(block, kChecksum));
  if (!expected) return false;
  std::int64_t plain = 0, with_sign = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    const bool own = i >= kChecksum.at && i < kChecksum.at + kChecksum.size;
    const auto byte = own ? 32 : std::to_integer<std::int64_t>(block[i]);
    plain += byte;
    with_sign += byte < 128 ? byte : byte - 256;
  }
  const auto wanted = static_cast<std::int64_t>(*expected);
  return plain == wanted || with_sign == wanted;
}

bool is_zero(Bytes block) {
  for (const std::byte b : block) {
    if (b != std::byte{0}) return false;
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> parse_tar_number(Bytes raw) {
  std::uint64_t value = 0;
  if ((raw[0] & std::byte{0x80}) != std::byte{0}) {
    if ((raw[0] & std::byte{0x7f}) != std::byte{0}) return std::nullopt;  // negative, or too large
    for (const std::byte b : raw.subspan(1)) {
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | std::to_integer<std::uint64_t>(b);
    }
    return value;
  }
  std::string_view text = as_text(raw);
  text = trim(text.substr(0, text.find('\0')));
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    value = value << 3 | static_cast<std::uint64_t>(c - '0');  // 12 digits at most: 36 bits
  }
  return value;
}

bool is_tar_header(Bytes block) {
  return block.size() >= kTarBlock && !is_zero(block.first(kTarBlock)) &&
         checksum_fits(block.first(kTarBlock));
}

std::optional<TarHeader> parse_tar_header(Bytes block) {
  if (!is_tar_header(block)) return std::nullopt;
  auto size = parse_tar_number(field(block, kSize));
  if (!size) return std::nullopt;
  TarHeader header{text_of(block, kName), text_of(block, kLink), static_cast<char>(block[kTypeAt]),
                   *size, false};
  const std::string_view magic = as_text(field(block, kMagic));
  header.gnu = magic == "ustar  \0"sv;
  if (magic.starts_with("ustar\0"sv)) {
    if (const std::string prefix = text_of(block, kPrefix); !prefix.empty()) {
      header.name = prefix + "/" + header.name;
    }
  }
  if (header.type == '\0') header.type = header.name.ends_with('/') ? '5' : '0';
  return header;
}

}  // namespace kernelfit
