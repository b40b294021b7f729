// SPDX-License-Identifier: Apache-2.0
#include "archive/pax.h"

#include "base/text.h"

namespace kernelfit {
namespace {

bool set(std::string_view key, std::string_view value, PaxValues& into) {
  if (key == "path") into.path = value;
  if (key == "linkpath") into.link_path = value;
  if (key == "GNU.sparse.name") into.sparse_name = value;
  if (key.starts_with("GNU.sparse.")) into.sparse = true;
  if (key != "size") return true;
  auto size = parse_int(value);
  if (!size || *size < 0) return false;
  into.size = static_cast<std::uint64_t>(*size);
  return true;
}

}  // namespace

bool read_pax(std::string_view records, PaxValues& into) {
  while (!records.empty() && records[0] != '\0') {
    const std::size_t space = records.find(' ');
    if (space == std::string_view::npos || space > 10) return false;
    auto length = parse_int(records.substr(0, space));
    if (!length || *length < 0) return false;
    const auto size = static_cast<std::size_t>(*length);
    if (size <= space + 1 || size > records.size() || records[size - 1] != '\n') return false;
    const std::string_view record = records.substr(space + 1, size - space - 2);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    if (!set(record.substr(0, equals), record.substr(equals + 1), into)) return false;
    records.remove_prefix(size);
  }
  return true;
}

}  // namespace kernelfit
