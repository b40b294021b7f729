// SPDX-License-Identifier: Apache-2.0
#include "archive/names.h"

#include <algorithm>
#include <utility>

#include "archive/archive.h"
#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxProblems = 16;
constexpr std::size_t kMaxName = 200;

bool is_drive(std::string_view name) {
  return name.size() >= 2 && name[1] == ':' &&
         ((name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z'));
}

// Either separator: what is harmless on one system climbs on the other.
bool climbs(std::string_view name) {
  if (name.find("..") == std::string_view::npos) return false;
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find_first_of("/\\", start), name.size());
    if (name.substr(start, end - start) == "..") return true;
    start = end + 1;
  }
  return false;
}

}  // namespace

std::vector<std::string> Problems::take() {
  if (left_out_ > 0) lines_.push_back("and " + std::to_string(left_out_) + " more");
  left_out_ = 0;
  return std::move(lines_);
}

void Problems::add(std::uint64_t offset, const std::string& text) {
  if (lines_.size() >= kMaxProblems) {
    ++left_out_;
  } else {
    lines_.push_back("offset " + std::to_string(offset) + ": " + text);
  }
}

std::string quoted_name(std::string_view name) {
  return "'" + printable(name.substr(0, kMaxName)) + (name.size() > kMaxName ? "…'" : "'");
}

std::string_view path_fault(std::string_view name) {
  if (name.empty()) return "has no name";
  if (name.find('\0') != std::string_view::npos) return "has a NUL in its name";
  return {};
}

std::string_view name_fault(std::string_view name) {
  if (auto fault = path_fault(name); !fault.empty()) return fault;
  if (name[0] == '/' || name[0] == '\\' || is_drive(name)) return "has an absolute name";
  if (climbs(name)) return "has a name that climbs out by '..'";
  return {};
}

bool safe_member_name(std::string_view name) {
  return name_fault(name).empty();
}

}  // namespace kernelfit
