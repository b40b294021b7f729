// SPDX-License-Identifier: Apache-2.0
// URLs and the heads of answers: text from outside, nothing is asked for here.
#include <algorithm>

#include "base/text.h"
#include "host/http.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxFields = 200;

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const bool digits =
      !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  const auto number = digits ? parse_int(text) : std::nullopt;
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::string_view without_query(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

}  // namespace

bool is_http_url(std::string_view text) {
  const std::string small = lower(text.substr(0, 8));
  for (std::string_view scheme : {"http://", "https://"}) {
    if (small.starts_with(scheme) && text.size() > scheme.size()) return true;
  }
  return false;
}

std::string shown_url(std::string_view url) {
  const std::string_view plain = without_query(url);
  const std::size_t host = plain.find("://") + 3;
  const std::size_t path = std::min(plain.find('/', host), plain.size());
  const std::size_t at = plain.substr(0, path).rfind('@');
  const std::size_t from = at == std::string_view::npos || at < host ? host : at + 1;
  return printable(std::string(plain.substr(0, host)) + std::string(plain.substr(from)));
}

std::string file_name_of_url(std::string_view url) {
  std::string_view plain = without_query(url);
  plain = plain.substr(plain.rfind('/') + 1);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto code = plain[i] == '%' ? parse_hex(plain.substr(i + 1, 2)) : std::nullopt;
    const bool whole =
        code && *code >= 0x20 && *code < 0x7f && *code != '/' && i + 2 < plain.size();
    out += whole ? static_cast<char>(*code) : plain[i];
    if (whole) i += 2;
  }
  return out;
}

std::optional<std::uint64_t> HttpHead::length() const {
  return parse_size(field("content-length"));
}

std::string_view HttpHead::field(std::string_view name) const {
  const auto at = fields.find(name);
  return at == fields.end() ? std::string_view() : std::string_view(at->second);
}

std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (!lower(text).starts_with("bytes ")) return std::nullopt;
  text = trim(text.substr(6));
  const std::size_t dash = text.find('-'), slash = text.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || dash > slash) {
    return std::nullopt;
  }
  const auto first = parse_size(text.substr(0, dash)),
             last = parse_size(text.substr(dash + 1, slash - dash - 1)),
             size = parse_size(text.substr(slash + 1));
  if (!first || !last || !size || *first > *last || *last >= *size) return std::nullopt;
  return ContentRange{*first, *last, *size};
}

std::optional<HttpHead> parse_http_head(std::string_view text) {
  const auto lines = lines_of(text);
  if (lines.empty() || !lines[0].starts_with("HTTP/")) return std::nullopt;
  const auto words = split_words(lines[0]);
  const auto status = words.size() < 2 ? std::nullopt : parse_int(words[1]);
  if (!status || *status < 100 || *status > 999) return std::nullopt;
  HttpHead head;
  head.status = static_cast<int>(*status);
  for (std::size_t i = 1; i < lines.size() && i < kMaxFields; ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string_view::npos) continue;
    head.fields[lower(trim(lines[i].substr(0, colon)))] = trim(lines[i].substr(colon + 1));
  }
  return head;
}

}  // namespace kernelfit
