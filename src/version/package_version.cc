// SPDX-License-Identifier: Apache-2.0
// PEP 440: "[N!]N(.N)*[{a|b|rc}N][.postN][.devN][+local]", its normalisations and its order.
#include <algorithm>

#include "base/text.h"
#include "version/version.h"

namespace kernelfit {
namespace {

// Eats from the front of a lower-case text.
struct Cursor {
  std::string_view rest;

  std::optional<std::int64_t> long_number() {
    std::size_t size = 0;
    while (size < rest.size() && rest[size] >= '0' && rest[size] <= '9') ++size;
    if (size == 0 || size > 18) return {};
    auto value = parse_int(rest.substr(0, size));
    rest.remove_prefix(size);
    return value;
  }
  std::optional<int> number() {
    auto before = rest;
    auto value = long_number();
    if (value && *value <= 999'999'999) return static_cast<int>(*value);
    rest = before;
    return {};
  }
  bool take(std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  bool take_any(std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](auto word) { return take(word); });
  }
  bool digit_behind(char sign) const {
    return rest.size() > 1 && rest[0] == sign && rest[1] >= '0' && rest[1] <= '9';
  }
  void separator() {
    bool is_one = !rest.empty() && (rest[0] == '.' || rest[0] == '-' || rest[0] == '_');
    if (is_one) rest.remove_prefix(1);
  }
  // "2", ".13", ".0"
  bool release(std::vector<int>& into) {
    for (bool more = true; more; more = digit_behind('.')) {
      if (!into.empty()) rest.remove_prefix(1);
      auto part = number();
      if (!part) return false;
      into.push_back(*part);
    }
    return true;
  }
  // ".post1", "-rc.2", "dev": its number, 0 where there is none. A separator belongs to what
  // follows it, so a failed attempt gives it back.
  std::optional<std::int64_t> labelled(std::initializer_list<std::string_view> words) {
    auto before = rest;
    separator();
    if (!take_any(words)) {
      rest = before;
      return {};
    }
    separator();
    return long_number().value_or(0);
  }
};

bool is_local_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

// "Cu126-Rc.1" -> "cu126.rc.1"; nothing where it is not a local version.
std::optional<std::string> normal_local(std::string_view text) {
  std::string out = replace_all(replace_all(std::string(text), "-", "."), "_", ".");
  for (auto part : split(out, '.')) {
    if (part.empty() || !std::all_of(part.begin(), part.end(), is_local_char)) return {};
  }
  return out;
}

// Numeric parts compare as numbers and are greater than texts (PEP 440, "Local version
// identifiers").
std::strong_ordering compare_local(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() <=> b.size();
  auto left = split(a, '.'), right = split(b, '.');
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    auto x = parse_int(left[i]), y = parse_int(right[i]);
    auto order = x && y   ? *x <=> *y
                 : x || y ? (x ? std::strong_ordering::greater : std::strong_ordering::less)
                          : left[i] <=> right[i];
    if (order != 0) return order;
  }
  return left.size() <=> right.size();
}

}  // namespace

std::optional<PackageVersion> PackageVersion::parse(std::string_view text) {
  PackageVersion out;
  out.text_ = trim(text);
  std::string small = lower(out.text_);
  Cursor at{small};
  at.take("v");
  auto plus = at.rest.find('+');
  if (plus != std::string_view::npos) {
    auto local = normal_local(at.rest.substr(plus + 1));
    if (!local) return {};
    out.local_ = *local;
    at.rest = at.rest.substr(0, plus);
  }
  auto before = at.rest;
  if (auto epoch = at.number(); epoch && at.take("!")) {
    out.epoch_ = *epoch;
  } else {
    at.rest = before;
  }
  if (!at.release(out.release_)) return {};
  auto take_pre = [&](int kind, std::initializer_list<std::string_view> words) {
    auto number = out.pre_ == kNone ? at.labelled(words) : std::optional<std::int64_t>();
    if (!number) return;
    out.pre_ = kind;
    out.pre_number_ = *number;
  };
  take_pre(0, {"alpha", "a"});
  take_pre(1, {"beta", "b"});
  take_pre(2, {"preview", "pre", "rc", "c"});
  if (at.digit_behind('-')) {
    at.take("-");  // "1.0-1" is 1.0.post1
    out.post_ = at.long_number().value_or(kNone);
  } else {
    out.post_ = at.labelled({"post", "rev", "r"}).value_or(kNone);
  }
  out.dev_ = at.labelled({"dev"}).value_or(kNone);
  if (!at.rest.empty()) return {};
  return out;
}

std::string PackageVersion::public_text() const {
  return std::string(trim(std::string_view(text_).substr(0, text_.find('+'))));
}

std::strong_ordering operator<=>(const PackageVersion& a, const PackageVersion& b) {
  if (auto order = a.epoch_ <=> b.epoch_; order != 0) return order;
  for (std::size_t i = 0; i < std::max(a.release_.size(), b.release_.size()); ++i) {
    if (auto order = a.release(i) <=> b.release(i); order != 0) return order;
  }
  // A dev release without pre and post comes before every pre-release; none comes after all.
  constexpr int kBefore = -2, kAfter = 9;
  auto pre_key = [](const PackageVersion& v) {
    if (v.pre_ != PackageVersion::kNone) return v.pre_;
    return v.post_ == PackageVersion::kNone && v.dev_ >= 0 ? kBefore : kAfter;
  };
  if (auto order = pre_key(a) <=> pre_key(b); order != 0) return order;
  if (auto order = a.pre_number_ <=> b.pre_number_; order != 0) return order;
  if (auto order = a.post_ <=> b.post_; order != 0) return order;
  auto dev_key = [](const PackageVersion& v) { return v.dev_ >= 0 ? v.dev_ : INT64_MAX; };
  if (auto order = dev_key(a) <=> dev_key(b); order != 0) return order;
  return compare_local(a.local_, b.local_);
}

}  // namespace kernelfit
