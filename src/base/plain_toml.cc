// SPDX-License-Identifier: Apache-2.0
#include "base/plain_toml.h"

#include <algorithm>

namespace kernelfit {
namespace {

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// toml++ keeps keys sorted, and Json keeps the order that it is given.
using Members = Json::Object;

std::optional<Json> object_of(Members members) {
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto twice = std::adjacent_find(members.begin(), members.end(),
                                        [](auto& a, auto& b) { return a.first == b.first; });
  if (twice != members.end()) return {};  // an error
  Json out = Json::object();
  for (auto& [name, value] : members) out.add(std::move(name), std::move(value));
  return out;
}

class PlainToml {
 public:
  explicit PlainToml(std::string_view text) : rest_(text) {}

  std::optional<Json> read() {
    while (true) {
      skip_lines();
      if (rest_.empty()) break;
      if (!(rest_[0] == '[' ? read_header() : read_pair(*open_))) return {};
      if (!ends_line()) return {};
    }
    if (!close_table()) return {};
    for (auto& [name, items] : arrays_) top_.emplace_back(std::move(name), std::move(items));
    return object_of(std::move(top_));
  }

 private:
  static constexpr int kDeepest = 8;

  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (take(' ') || take('\t')) {
    }
  }
  void skip_comment() {
    if (!rest_.starts_with("#")) return;
    while (!rest_.empty() && rest_[0] >= ' ' && rest_[0] < 0x7f) rest_.remove_prefix(1);
  }
  void skip_lines() {
    do {
      skip_blanks();
      skip_comment();
    } while (take('\n'));
  }
  bool ends_line() {
    skip_blanks();
    skip_comment();
    return rest_.empty() || take('\n');
  }

  std::optional<std::string> key() {
    if (rest_.starts_with("\"")) {
      auto quoted = string();
      if (!quoted) return {};
      return std::string(quoted->string());
    }
    std::size_t size = 0;
    while (size < rest_.size() && is_key_letter(rest_[size])) ++size;
    if (size == 0) return {};
    std::string out(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return out;
  }

  // "[[fix]]" opens one more of an array, "[cuda]" a table that is there once.
  bool read_header() {
    if (!close_table()) return false;
    take('[');
    const bool of_array = take('[');
    auto name = key();
    if (!name || !take(']') || (of_array && !take(']'))) return false;
    into_array_ = of_array;
    name_ = *std::move(name);
    inner_.clear();
    open_ = &inner_;
    return true;
  }
  bool close_table() {
    if (open_ == &top_) return true;
    open_ = &top_;
    auto table = object_of(std::move(inner_));
    if (!table) return false;
    if (!into_array_) {
      top_.emplace_back(std::move(name_), *std::move(table));
      return true;
    }
    auto at = std::find_if(arrays_.begin(), arrays_.end(),
                           [&](const auto& one) { return one.first == name_; });
    if (at == arrays_.end()) at = arrays_.emplace(at, std::move(name_), Json::array());
    at->second.push(*std::move(table));
    return true;
  }

  bool read_pair(Members& into) {
    auto name = key();
    if (!name) return false;
    skip_blanks();
    if (!take('=')) return false;
    skip_blanks();
    auto found = value(0);
    if (!found) return false;
    into.emplace_back(*std::move(name), *std::move(found));
    return true;
  }

  std::optional<Json> value(int depth) {
    if (rest_.empty() || depth > kDeepest) return {};
    if (rest_[0] == '"') return string();
    if (rest_[0] == '[') return array(depth);
    if (rest_.starts_with("true")) return word(4, Json(true));
    if (rest_.starts_with("false")) return word(5, Json(false));
    return integer();
  }
  std::optional<Json> word(std::size_t size, Json meaning) {
    rest_.remove_prefix(size);
    return meaning;  // what follows must end the value, or nothing here fits
  }

  std::optional<Json> string() {
    if (rest_.starts_with("\"\"\"")) return {};
    rest_.remove_prefix(1);
    std::string out;
    while (true) {
      std::size_t size = 0;
      while (size < rest_.size() && rest_[size] >= ' ' && rest_[size] < 0x7f &&
             rest_[size] != '"' && rest_[size] != '\\') {
        ++size;
      }
      out += rest_.substr(0, size);
      rest_.remove_prefix(size);
      if (take('"')) return Json(std::move(out));
      if (rest_.size() < 2 || rest_[0] != '\\') return {};
      switch (rest_[1]) {
        case '"':
        case '\\': out += rest_[1]; break;
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        default: return {};
      }
      rest_.remove_prefix(2);
    }
  }

  std::optional<Json> array(int depth) {
    rest_.remove_prefix(1);
    Json out = Json::array();
    skip_lines();
    while (!take(']')) {
      auto item = value(depth + 1);
      if (!item) return {};
      out.push(*std::move(item));
      skip_lines();
      if (take(',')) {
        skip_lines();
      } else if (!rest_.starts_with("]")) {
        return {};
      }
    }
    return out;
  }

  std::optional<Json> integer() {
    constexpr std::size_t kMostDigits = 18;  // of 63 bits
    std::size_t size = rest_[0] == '-' ? 1 : 0;
    const std::size_t first = size;
    std::int64_t number = 0;
    while (size < rest_.size() && size - first < kMostDigits && is_digit(rest_[size])) {
      number = number * 10 + (rest_[size++] - '0');  // what follows the last must end the value
    }
    const std::size_t digits = size - first;
    if (digits == 0 || (digits > 1 && rest_[first] == '0')) return {};
    rest_.remove_prefix(size);
    return Json(first == 1 ? -number : number);
  }

  std::string_view rest_;
  Members top_, inner_;
  Members* open_ = &top_;
  std::vector<std::pair<std::string, Json>> arrays_;
  std::string name_;
  bool into_array_ = false;
};

}  // namespace

std::optional<Json> read_plain_toml(std::string_view text) {
  return PlainToml(text).read();
}

Result<Json> parse_toml(std::string_view text) {
  if (auto plain = read_plain_toml(text)) return *std::move(plain);
  return read_any_toml(text);
}

}  // namespace kernelfit
