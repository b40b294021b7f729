// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/visible.h"

namespace kernelfit {
namespace {

const Json kNull;
const Json::Array kNoItems;
const Json::Object kNoMembers;

// "\\u202e": nothing is lost to a program, and nothing reaches a terminal that shows JSON.
void write_escape(std::string& out, std::int32_t code) {
  std::array<char, 16> text{};
  auto write = [&](unsigned unit) {
    std::snprintf(text.data(), text.size(), "\\u%04x", unit);
    out += text.data();
  };
  const auto value = static_cast<unsigned>(code);
  if (value > 0xffff) write(0xd800 + ((value - 0x10000) >> 10U));
  write(value > 0xffff ? 0xdc00 + ((value - 0x10000) & 0x3ffU) : value);
}

void write_glyph(std::string& out, std::int32_t code, std::string_view bytes) {
  if (code == '"' || code == '\\') {
    out += '\\';
    out += bytes;
  } else if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code < 0) {
    out += "\xEF\xBF\xBD";  // not UTF-8: JSON has no way to write it (docs/contract.md 3)
  } else if (is_unseen(code)) {
    write_escape(out, code);
  } else {
    out += bytes;
  }
}

void write_string(std::string& out, std::string_view raw) {
  out += '"';
  while (!raw.empty()) {
    const Glyph glyph = next_glyph(raw);
    write_glyph(out, glyph.code, raw.substr(0, glyph.bytes));
    raw.remove_prefix(glyph.bytes);
  }
  out += '"';
}

void line_break(std::string& out, int indent, int depth) {
  if (indent == 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

// Short arrays of plain values stay on one line: arch lists read better so.
bool is_flat(const Json::Array& items) {
  for (const auto& item : items) {
    if (item.is_object() || item.is_array()) return false;
  }
  return true;
}

struct Writer {
  std::string& out;
  int indent;

  void write(const Json& json, int depth) {
    if (json.is_null()) {
      out += "null";
    } else if (json.is_bool()) {
      out += json.boolean() ? "true" : "false";
    } else if (json.is_integer()) {
      out += std::to_string(json.integer());
    } else if (json.is_real()) {
      write_real(json.real());
    } else if (json.is_string()) {
      write_string(out, json.string());
    } else if (json.is_array()) {
      write_array(json.items(), depth);
    } else if (json.is_object()) {
      write_object(json.members(), depth);
    }
  }
  // The shortest text that reads back as the same number; JSON has no infinity.
  void write_real(double value) {
    char text[32];
    auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out += std::isfinite(value) ? std::string(text, end) : "null";
  }
  void write_array(const Json::Array& items, int depth) {
    bool flat = is_flat(items);
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += flat && indent > 0 ? ", " : ",";
      if (!flat) line_break(out, indent, depth + 1);
      write(items[i], depth + 1);
    }
    if (!flat) line_break(out, indent, depth);
    out += ']';
  }
  void write_object(const Json::Object& members, int depth) {
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out += ',';
      line_break(out, indent, depth + 1);
      write_string(out, members[i].first);
      out += indent > 0 ? ": " : ":";
      write(members[i].second, depth + 1);
    }
    if (!members.empty()) line_break(out, indent, depth);
    out += '}';
  }
};

constexpr int kMaxDepth = 64;  // a hostile file must not overflow the stack

using Parsed = nlohmann::ordered_json;  // keeps members as they were written

Result<Json> from_nlohmann(const Parsed& from, int depth) {
  if (depth > kMaxDepth) return error(ErrorKind::malformed, "nested too deeply");
  if (from.is_object()) {
    Json out = Json::object();
    for (const auto& [key, value] : from.items()) {
      KF_TRY(Json member, from_nlohmann(value, depth + 1));
      out.add(key, std::move(member));
    }
    return out;
  }
  if (from.is_array()) {
    Json out = Json::array();
    for (const auto& value : from) {
      KF_TRY(Json item, from_nlohmann(value, depth + 1));
      out.push(std::move(item));
    }
    return out;
  }
  if (from.is_string()) return Json(from.get<std::string>());
  if (from.is_boolean()) return Json(from.get<bool>());
  bool too_large = from.is_number_unsigned() && from.get<std::uint64_t>() > INT64_MAX;
  if (from.is_number_integer() && !too_large) return Json(from.get<std::int64_t>());
  if (from.is_number()) return Json(from.get<double>());
  return Json();
}

// Counted before the tree is built: freeing a million-deep tree would overflow the stack.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json::Json(const std::vector<std::string>& values) {
  Array items;
  for (const auto& value : values) items.emplace_back(value);
  value_ = std::move(items);
}

const Json& Json::at(std::string_view key) const {
  for (const auto& [name, value] : members()) {
    if (name == key) return value;
  }
  return kNull;
}
const Json::Array& Json::items() const {
  const auto* items = std::get_if<Array>(&value_);
  return items ? *items : kNoItems;
}
const Json::Object& Json::members() const {
  const auto* members = std::get_if<Object>(&value_);
  return members ? *members : kNoMembers;
}
std::string_view Json::string() const {
  const auto* text = std::get_if<std::string>(&value_);
  return text ? std::string_view(*text) : std::string_view();
}
std::int64_t Json::integer(std::int64_t otherwise) const {
  const auto* number = std::get_if<std::int64_t>(&value_);
  return number ? *number : otherwise;
}
double Json::real(double otherwise) const {
  if (is_integer()) return static_cast<double>(integer());
  const auto* number = std::get_if<double>(&value_);
  return number ? *number : otherwise;
}
bool Json::boolean(bool otherwise) const {
  const auto* truth = std::get_if<bool>(&value_);
  return truth ? *truth : otherwise;
}
std::vector<std::string> Json::strings() const {
  std::vector<std::string> out;
  if (is_string()) out.emplace_back(string());
  for (const auto& item : items()) {
    if (item.is_string()) out.emplace_back(item.string());
  }
  return out;
}

Json& Json::operator[](std::string_view key) {
  if (!is_object()) value_ = Object{};
  auto& members = std::get<Object>(value_);
  for (auto& [name, value] : members) {
    if (name == key) return value;
  }
  return members.emplace_back(std::string(key), Json()).second;
}
void Json::add(std::string key, Json value) {
  if (!is_object()) value_ = Object{};
  std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
}
void Json::push(Json value) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
}

std::string Json::dump() const {
  std::string out;
  Writer{out, 2}.write(*this, 0);
  return out + '\n';
}
std::string Json::dump_compact() const {
  std::string out;
  Writer{out, 0}.write(*this, 0);
  return out;
}

Result<Json> parse_json(std::string_view text) {
  if (too_deep(text)) return error(ErrorKind::malformed, "JSON is nested too deeply");
  try {
    return from_nlohmann(Parsed::parse(text), 0);
  } catch (const nlohmann::json::exception& problem) {
    return error(ErrorKind::malformed, printable(problem.what()));
  }
}

}  // namespace kernelfit
