// SPDX-License-Identifier: Apache-2.0
#include "archive/pax.h"

#include "base/text.h"

namespace kernelfit {
namespace {

bool take(std::string_view text, std::optional<std::uint64_t>& into) {
  into = parse_pax_number(text);
  return into.has_value();
}

bool add(std::string_view text, std::vector<std::uint64_t>& into) {
  const auto value = parse_pax_number(text);
  if (value) into.push_back(*value);
  return value.has_value();
}

bool set_sparse(std::string_view key, std::string_view value, PaxValues& into) {
  into.sparse = true;
  if (key == "name") into.sparse_name = value;
  if (key == "major") into.sparse_map_in_content = value == "1";
  if (key == "size" || key == "realsize") return take(value, into.sparse_size);
  if (key == "offset" || key == "numbytes") return add(value, into.sparse_map);
  if (key != "map") return true;
  into.sparse_map.clear();
  for (const auto& part : split(value, ',')) {
    if (!add(part, into.sparse_map)) return false;
  }
  return true;
}

bool set(std::string_view key, std::string_view value, PaxValues& into) {
  constexpr std::string_view kSparse = "GNU.sparse.";
  if (key.starts_with(kSparse)) return set_sparse(key.substr(kSparse.size()), value, into);
  if (key == "path") into.path = value;
  if (key == "linkpath") into.link_path = value;
  return key != "size" || take(value, into.size);
}

}  // namespace

std::optional<std::uint64_t> parse_pax_number(std::string_view text) {
  const auto value = parse_int(text);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

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
