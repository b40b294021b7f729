// SPDX-License-Identifier: Apache-2.0
#include "archive/ar_header.h"

#include "base/text.h"

namespace kernelfit {
namespace {

template <std::size_t size>
std::string_view field(const char (&raw)[size]) {
  const std::string_view text(raw, size);
  const std::size_t last = text.find_last_not_of(' ');
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::optional<std::uint64_t> number(std::string_view text) {
  auto value = parse_int(text);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

bool is_symbol_table(std::string_view name) {
  return name == "/" || name == "/SYM64/" || name.starts_with("__.SYMDEF") ||
         (name.starts_with("/<") && name.ends_with(">/"));
}

// GNU ends a name by "/\n", MSVC by a NUL. A nested member of a thin archive is "/123:456".
std::string from_table(std::string_view digits, std::string_view names) {
  auto at = number(digits.substr(0, digits.find(':')));
  if (!at || *at >= names.size()) return {};
  std::string_view name = names.substr(static_cast<std::size_t>(*at), kMaxArName);
  name = name.substr(0, name.find('\n'));
  name = name.substr(0, name.find('\0'));
  if (name.ends_with('/')) name.remove_suffix(1);
  return std::string(name);
}

}  // namespace

std::optional<ArEntry> parse_ar_header(const ArHeader& header) {
  if (header.end[0] != '`' || header.end[1] != '\n') return std::nullopt;
  auto size = number(field(header.size));
  if (!size) return std::nullopt;
  ArEntry entry;
  entry.name = field(header.name);
  entry.size = *size;
  entry.is_names = entry.name == "//";
  entry.is_symbols = is_symbol_table(entry.name);
  if (entry.name.starts_with("#1/")) {
    auto length = number(std::string_view(entry.name).substr(3));
    if (!length || *length > entry.size || *length > kMaxArName) return std::nullopt;
    entry.name_size = *length;
  }
  return entry;
}

std::string ar_member_name(const ArEntry& entry, std::string_view names,
                           std::string_view bsd_name) {
  if (entry.name_size > 0) return std::string(bsd_name.substr(0, bsd_name.find('\0')));
  const std::string_view name = entry.name;
  if (name.starts_with('/')) return from_table(name.substr(1), names);
  return std::string(name.ends_with('/') ? name.substr(0, name.size() - 1) : name);
}

}  // namespace kernelfit
