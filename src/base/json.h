// SPDX-License-Identifier: Apache-2.0
// One JSON value with objects in the order they were written. TOML is read into the same value,
// so nothing above base needs to know either library.
//
//   Json report = Json::object();
//   report["schema"] = "kernelfit.doctor/1";
//   report["gpus"].push(gpu_json);
//   std::string text = report.dump();
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace kernelfit {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(std::nullptr_t) {}                                            // NOLINT(google-explicit-constructor)
  Json(bool value) : value_(value) {}                                // NOLINT(google-explicit-constructor)
  Json(int value) : value_(static_cast<std::int64_t>(value)) {}      // NOLINT(google-explicit-constructor)
  Json(std::int64_t value) : value_(value) {}                        // NOLINT(google-explicit-constructor)
  Json(std::size_t value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT(google-explicit-constructor)
  Json(double value) : value_(value) {}                              // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}              // NOLINT(google-explicit-constructor)
  Json(std::string_view value) : value_(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Json(const char* value) : value_(std::string(value)) {}            // NOLINT(google-explicit-constructor)
  Json(const std::vector<std::string>& values);                      // NOLINT(google-explicit-constructor)

  static Json object() { return Json(Object{}); }
  static Json array() { return Json(Array{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_real() const { return std::holds_alternative<double>(value_); }

  // Reading: what is not there, or has another type, reads as empty.
  const Json& at(std::string_view key) const;  // null where absent
  const Array& items() const;
  const Object& members() const;
  std::string_view string() const;
  std::int64_t integer(std::int64_t otherwise = 0) const;
  double real(double otherwise = 0) const;  // also of an integer
  bool boolean(bool otherwise = false) const;
  std::vector<std::string> strings() const;  // the strings of an array, or one string alone

  // Writing: a null becomes the object or array it is used as.
  Json& operator[](std::string_view key);
  void add(std::string key, Json value);  // appends; the caller knows that the key is new
  void push(Json value);

  // UTF-8, two spaces of indent, newline at the end; compact without either.
  std::string dump() const;
  std::string dump_compact() const;

 private:
  explicit Json(Object members) : value_(std::move(members)) {}
  explicit Json(Array items) : value_(std::move(items)) {}
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

// Errors name the line. Nesting is limited to 64 levels.
Result<Json> parse_json(std::string_view text);
Result<Json> parse_toml(std::string_view text);

}  // namespace kernelfit
