// SPDX-License-Identifier: Apache-2.0
#include "host/file_names.h"

#include "base/text.h"

namespace kernelfit {
namespace {
constexpr std::string_view kEncoded = "<>:\"|?*\\%";
constexpr std::string_view kHex = "0123456789ABCDEF";
bool is_encoded(unsigned char c) {
  return c < 0x20 || kEncoded.find(static_cast<char>(c)) != std::string_view::npos;
}
}  // namespace

std::string encode_file_name(std::string_view name) {
  std::string out;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (!is_encoded(byte)) {
      out += c;
      continue;
    }
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

std::string decode_file_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    auto code = name[i] == '%' && i + 2 < name.size() ? parse_hex(name.substr(i + 1, 2))
                                                      : std::optional<std::uint64_t>();
    if (code && is_encoded(static_cast<unsigned char>(*code))) {
      out += static_cast<char>(*code);
      i += 2;
    } else {
      out += name[i];
    }
  }
  return out;
}

}  // namespace kernelfit
