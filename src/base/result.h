// SPDX-License-Identifier: Apache-2.0
// Errors as values: a Result<T> holds a T, or an Error that says what could not be done and where.
//
//   Result<Header> parse_header(Bytes bytes) {
//     KF_TRY(auto magic, read_at<le32>(bytes, 0));
//     if (magic != kMagic) return error(ErrorKind::malformed, "not a fatbin");
//     ...
//   }
//
// Dropping a Result unread is a warning. No exception crosses a room.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace kernelfit {

enum class ErrorKind { not_found, denied, malformed, truncated, unsupported, timeout, usage, bug };

struct Error {
  ErrorKind kind;
  std::string message;             // "section header table is past the end of the file"
  std::vector<std::string> where;  // innermost first: "e_shoff", "libcudart.so.12"

  // Adds what the caller was doing, for the message's reader.
  Error&& in(std::string_view what) && {
    where.emplace_back(what);
    return std::move(*this);
  }
  // "libcudart.so.12: e_shoff: section header table is past the end of the file"
  std::string text() const {
    std::string out;
    for (auto it = where.rbegin(); it != where.rend(); ++it) out += *it + ": ";
    return out + message;
  }
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error> other)  // NOLINT(google-explicit-constructor): a Result is one
      : tl::expected<T, Error>(std::move(other)) {}
};
using Status = Result<void>;

inline tl::unexpected<Error> error(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message), {}});
}

#define KF_CONCAT_(a, b) a##b
#define KF_CONCAT(a, b) KF_CONCAT_(a, b)
#define KF_TRY_(tmp, decl, expr)                                               \
  auto tmp = (expr);                                                           \
  if (!tmp) return tl::unexpected<::kernelfit::Error>(std::move(tmp).error()); \
  decl = *std::move(tmp)
// Returns the error of `expr`, or goes on with its value: KF_TRY(auto header, read_header(bytes));
#define KF_TRY(decl, expr) KF_TRY_(KF_CONCAT(kf_try_, __LINE__), decl, expr)

}  // namespace kernelfit
