// SPDX-License-Identifier: Apache-2.0
#include "host/http.h"

#include <algorithm>

#include "base/text.h"
#include "host/redact.h"
#include "host/running_program.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxHead = std::size_t{64} << 10;
constexpr int kMaxRedirects = 5;
constexpr std::chrono::milliseconds kGrace{2000};  // curl itself gives up first, and says why

// No file of settings, no other protocol at any step, no redirect from https to http, no globbing,
// and nothing behind "--" is an option.
std::vector<std::string> curl_line(const HttpRequest& request) {
  const std::string seconds =
      std::to_string(std::max<std::int64_t>(1, request.timeout.count() / 1000));
  const bool secure = lower(request.url.substr(0, 8)) == "https://";
  std::vector<std::string> line = {
      "curl", "-q", "-s", "-S", "-i", "-g", "-L", "--suppress-connect-headers", "--proto",
      "=http,https", "--proto-redir", secure ? "=https" : "=http,https", "--max-redirs",
      std::to_string(kMaxRedirects), "--connect-timeout", seconds,
      // Less than 1 kB/s over this time is as good as nothing.
      "--speed-limit", "1000", "--speed-time", seconds, "-H", "Accept-Encoding: identity", "-A",
      "kernelfit"};
  if (request.range) {
    line.insert(line.end(), {"-r", std::to_string(request.range->first) + "-" +
                                       std::to_string(request.range->last)});
  }
  if (!request.accept.empty()) line.insert(line.end(), {"-H", "Accept: " + request.accept});
  line.insert(line.end(), {"--", request.url.substr(0, request.url.find('#'))});
  return line;
}

// What curl needs of the environment beside PATH: proxies and certificates.
std::map<std::string, std::string> curl_environment(const Host& host) {
  std::map<std::string, std::string> out;
  for (const char* name :
       {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"}) {
    if (auto value = host.env(name)) out[name] = *value;
  }
  return out;
}

// curl(1), EXIT CODES.
Error failure(const CommandResult& result, std::chrono::milliseconds timeout) {
  const std::string seconds = std::to_string(timeout.count() / 1000) + " s";
  if (result.timed_out) return {ErrorKind::timeout, "the server sent nothing for " + seconds, {}};
  const bool old = contains(result.err, "HTTP/0.9");  // what has no head is taken for that
  if (result.status == 1 && old)
    return {ErrorKind::malformed, "the server's answer is no HTTP", {}};
  switch (result.status) {
    case 1:
      return {ErrorKind::unsupported, "the server leads on to a protocol that is not taken", {}};
    case 3: return {ErrorKind::usage, "not a URL that can be asked for", {}};
    case 5: return {ErrorKind::not_found, "the proxy's name is not known", {}};
    case 6: return {ErrorKind::not_found, "the server's name is not known", {}};
    case 7: return {ErrorKind::denied, "the server cannot be reached", {}};
    case 18: return {ErrorKind::truncated, "the server ended before everything was sent", {}};
    case 28: return {ErrorKind::timeout, "the server was too slow for " + seconds, {}};
    case 35:
    case 58:
    case 60:
    case 77: return {ErrorKind::denied, "no safe connection: " + printable(trim(result.err)), {}};
    case 47:
      return {ErrorKind::unsupported,
              "the server leads on more than " + std::to_string(kMaxRedirects) + " times",
              {}};
    case 52: return {ErrorKind::truncated, "the server sent no answer", {}};
    case 55:
    case 56: return {ErrorKind::truncated, "the connection was cut off", {}};
    default: break;
  }
  return {ErrorKind::malformed,
          "curl ended with status " + std::to_string(result.status) + ": " +
              redact_secrets(printable(trim(result.err))),
          {}};
}

class CurlAnswer : public HttpAnswer {
 public:
  CurlAnswer(std::unique_ptr<RunningProgram> program, const HttpRequest& request)
      : program_(std::move(program)), timeout_(request.timeout), cancelled_(request.cancelled) {}
  const HttpHead& head() const override { return head_; }

  // The heads of redirects, and then that of the answer.
  Status read_heads() {
    for (;;) {
      KF_TRY(const std::string text, next_head());
      auto head = parse_http_head(text);
      if (!head) return error(ErrorKind::malformed, "the server's answer is no HTTP");
      head_ = std::move(*head);
      const bool leads_on = head_.status / 100 == 3 && !head_.field("location").empty();
      if (head_.status / 100 != 1 && !leads_on) return {};
    }
  }

  Result<std::size_t> read(std::span<std::byte> into) override {
    if (!ahead_.empty()) {
      const std::size_t count = std::min(into.size(), ahead_.size());
      std::ranges::copy(std::as_bytes(std::span(ahead_)).first(count), into.begin());
      ahead_.erase(0, count);
      return count;
    }
    return from_program(into);
  }

 private:
  Result<std::size_t> from_program(std::span<std::byte> into) {
    auto got = program_->read(into);
    if (got && *got > 0) return got;
    if (cancelled_ != nullptr && *cancelled_) return error(ErrorKind::timeout, "interrupted");
    const CommandResult& result = program_->result();
    if (!got || result.status != 0) return tl::unexpected(failure(result, timeout_));
    return std::size_t{0};
  }

  Result<std::string> next_head() {
    std::size_t end;
    while ((end = ahead_.find("\r\n\r\n")) == std::string::npos) {
      if (ahead_.size() > kMaxHead)
        return error(ErrorKind::malformed, "the answer has no end of its head");
      std::byte more[4096];
      KF_TRY(const std::size_t got, from_program(more));
      if (got == 0) return error(ErrorKind::truncated, "the server's answer has no body");
      ahead_ += as_text(Bytes(more).first(got));
    }
    std::string head = ahead_.substr(0, end);
    ahead_.erase(0, end + 4);
    return head;
  }

  std::unique_ptr<RunningProgram> program_;
  std::chrono::milliseconds timeout_;
  const std::atomic<bool>* cancelled_;
  std::string ahead_;  // came with the head
  HttpHead head_;
};

}  // namespace

Result<std::unique_ptr<HttpAnswer>> http_get(const Host& host, const HttpRequest& request) {
  Command command;
  command.argv = curl_line(request);
  command.env = curl_environment(host);
  command.timeout = request.timeout + kGrace;
  auto program = start_program(host, command, request.cancelled);
  if (!program && program.error().kind == ErrorKind::not_found) {
    return error(ErrorKind::not_found,
                 "a URL is read through the program curl, which is not there");
  }
  if (!program) return tl::unexpected(std::move(program.error()));
  auto answer = std::make_unique<CurlAnswer>(std::move(*program), request);
  if (Status status = answer->read_heads(); !status) return tl::unexpected(status.error());
  return answer;
}

}  // namespace kernelfit
