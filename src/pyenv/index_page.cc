// SPDX-License-Identifier: Apache-2.0
#include "pyenv/index_page.h"

#include "base/json.h"
#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMostFiles = 50'000;
constexpr std::size_t kLongestName = 400;

bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_of("/\\\"<> \t\r\n") == std::string_view::npos &&
         (name.ends_with(".whl") || name.ends_with(".tar.gz") || name.ends_with(".zip"));
}

// "&#43;", "&#x2B;", "&amp;": what stands in links.
std::string unescaped(std::string_view text) {
  std::string out(text);
  for (const auto& [from, to] :
       {std::pair("&#43;", "+"), {"&#x2b;", "+"}, {"&#x2B;", "+"}, {"&plus;", "+"}, {"&amp;", "&"}})
    out = replace_all(std::move(out), from, to);
  return out;
}

// The last part of a link's path, with %2B and its like undone.
std::string name_in_link(std::string_view link) {
  const std::string whole = unescaped(link.substr(0, 4 * kLongestName));
  std::string_view path = std::string_view(whole).substr(0, whole.find_first_of("?#"));
  path = path.substr(path.rfind('/') + 1);
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto code =
        path[i] == '%' && i + 2 < path.size() ? parse_hex(path.substr(i + 1, 2)) : std::nullopt;
    const bool plain = code && *code > 0x20 && *code < 0x7f;
    out += plain ? static_cast<char>(*code) : path[i];
    if (plain) i += 2;
  }
  return out;
}

struct Attribute {
  std::string name;
  std::string_view value;
};

// One attribute from the front of a tag's inside; nothing at its end.
std::optional<Attribute> take_attribute(std::string_view& tag) {
  tag = trim(tag);
  if (tag.empty()) return std::nullopt;
  const std::size_t end = tag.find_first_of("= \t\r\n");
  Attribute out{lower(tag.substr(0, end)), {}};
  tag = end == std::string_view::npos ? std::string_view() : trim(tag.substr(end));
  if (!tag.starts_with('=')) return out;
  tag = trim(tag.substr(1));
  const bool quoted = tag.starts_with('"') || tag.starts_with('\'');
  const std::size_t close = quoted ? tag.find(tag.front(), 1) : tag.find_first_of(" \t\r\n");
  out.value = tag.substr(quoted ? 1 : 0,
                         close == std::string_view::npos ? close : close - (quoted ? 1 : 0));
  tag = close == std::string_view::npos ? std::string_view() : tag.substr(close + (quoted ? 1 : 0));
  return out;
}

std::optional<IndexFile> file_of_tag(std::string_view tag) {
  IndexFile out;
  while (const auto attribute = take_attribute(tag)) {
    if (attribute->name == "href") out.name = name_in_link(attribute->value);
    if (attribute->name == "data-yanked") out.yanked = true;
    if (attribute->name == "data-core-metadata" || attribute->name == "data-dist-info-metadata")
      out.metadata = attribute->value != "false";
  }
  return is_file_name(out.name) ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<IndexFile> from_links(std::string_view text) {
  std::vector<IndexFile> out;
  while (out.size() < kMostFiles) {
    const std::size_t at = text.find('<');
    if (at == std::string_view::npos || at + 2 >= text.size()) break;
    text.remove_prefix(at + 1);
    const bool link = (text[0] == 'a' || text[0] == 'A') &&
                      std::string_view(" \t\r\n").find(text[1]) != std::string_view::npos;
    if (!link) continue;
    const std::size_t end = text.find('>');
    if (auto file = file_of_tag(text.substr(1, end == std::string_view::npos ? end : end - 1)))
      out.push_back(*std::move(file));
  }
  return out;
}

bool is_set(const Json& value) {
  return value.is_object() || value.is_string() || (value.is_bool() && value.boolean());
}

std::vector<IndexFile> from_json(std::string_view text) {
  std::vector<IndexFile> out;
  const auto page = parse_json(text);
  if (!page || !page->is_object()) return out;
  for (const Json& entry : page->at("files").items()) {
    if (out.size() >= kMostFiles) break;
    IndexFile file;
    file.name = entry.at("filename").string();
    file.yanked = is_set(entry.at("yanked"));
    file.metadata = is_set(entry.at("core-metadata"));
    const std::int64_t size = entry.at("size").integer();
    if (size > 0) file.size = static_cast<std::uint64_t>(size);
    if (is_file_name(file.name)) out.push_back(std::move(file));
  }
  return out;
}

}  // namespace

std::vector<IndexFile> parse_index_page(std::string_view text) {
  return trim(text.substr(0, 200)).starts_with('{') ? from_json(text) : from_links(text);
}

}  // namespace kernelfit
