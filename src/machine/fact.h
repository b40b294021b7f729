// SPDX-License-Identifier: Apache-2.0
// Absent is not unknown. A Fact says what was learned, and from where:
//
//   known    the value, and the file, program or library it came from
//   given    the value was given on the command line (a what-if), not found
//   absent   looked there; there is none
//   unknown  could not tell, and why
//
// "No driver is installed" and "the driver's version could not be read" need different advice.
#pragma once
#include <optional>
#include <string>
#include <utility>

namespace kernelfit {

enum class FactState { known, given, absent, unknown };
std::string_view text_of(FactState state);

template <typename T>
class Fact {
 public:
  Fact() = default;  // unknown, "not looked at"
  static Fact known(T value, std::string source) {
    return Fact(FactState::known, std::move(value), std::move(source), {});
  }
  static Fact given(T value) { return Fact(FactState::given, std::move(value), "given", {}); }
  static Fact absent(std::string source) {
    return Fact(FactState::absent, {}, std::move(source), {});
  }
  static Fact unknown(std::string reason, std::string source = {}) {
    return Fact(FactState::unknown, {}, std::move(source), std::move(reason));
  }

  FactState state() const { return state_; }
  bool has() const { return state_ == FactState::known || state_ == FactState::given; }
  bool is_absent() const { return state_ == FactState::absent; }
  bool is_unknown() const { return state_ == FactState::unknown; }
  const T& value() const { return *value_; }  // only where has()
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  T value_or(T otherwise) const { return has() ? *value_ : std::move(otherwise); }
  bool is(const T& value) const { return has() && *value_ == value; }
  const std::string& source() const { return source_; }
  const std::string& reason() const { return reason_; }  // why it is unknown

 private:
  Fact(FactState state, std::optional<T> value, std::string source, std::string reason)
      : state_(state), value_(std::move(value)), source_(std::move(source)),
        reason_(std::move(reason)) {}

  FactState state_ = FactState::unknown;
  std::optional<T> value_;
  std::string source_;
  std::string reason_ = "not looked at";
};

}  // namespace kernelfit
