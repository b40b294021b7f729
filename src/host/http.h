// SPDX-License-Identifier: Apache-2.0
// A file on a server, through the program curl: nothing of the network is linked. Only what a
// person named as a URL is ever asked for.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/stream.h"
#include "host/host.h"

namespace kernelfit {

bool is_http_url(std::string_view text);  // http:// or https://, with something behind it
// For people: without user, password, query and fragment, any of which may be a secret.
std::string shown_url(std::string_view url);
// The file's name: the last part of the path, with %2B and its like undone.
std::string file_name_of_url(std::string_view url);

struct HttpRange {
  std::uint64_t first = 0, last = 0;  // both count
};

struct HttpRequest {
  std::string url;
  std::optional<HttpRange> range;
  std::chrono::milliseconds timeout{30'000};  // without a byte, and to connect
  const std::atomic<bool>* cancelled = nullptr;
  std::string accept = {};  // the kinds of answer that are understood; empty: any
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string, std::less<>> fields;  // names in small letters
  std::optional<std::uint64_t> length() const;             // Content-Length
  std::string_view field(std::string_view name) const;
};

// The body of an answer, as it comes. Its end is an error where the transfer did not end well.
class HttpAnswer : public ByteStream {
 public:
  virtual const HttpHead& head() const = 0;
};

// An error says what a person can understand: no such host, no answer, refused, cut off.
// ErrorKind::not_found: there is no curl. An answer of any status is an answer.
Result<std::unique_ptr<HttpAnswer>> http_get(const Host& host, const HttpRequest& request);

// "bytes 0-99/1234". Nothing for another form, an end before the beginning, a range past the size.
struct ContentRange {
  std::uint64_t first = 0, last = 0, size = 0;
};
std::optional<ContentRange> parse_content_range(std::string_view text);
// One answer's head: "HTTP/1.1 200 OK" and its fields, without the empty line behind them.
std::optional<HttpHead> parse_http_head(std::string_view text);

}  // namespace kernelfit
