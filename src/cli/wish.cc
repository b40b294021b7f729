// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.h"

#include "base/visible.h"

namespace kernelfit::cli {
namespace {

constexpr std::string_view kTorch = "torch";
constexpr std::size_t kShown = 80;  // of a word that is none

bool names_torch(std::string_view word) {
  if (!word.starts_with(kTorch)) return false;
  char next = word.size() > kTorch.size() ? word[kTorch.size()] : '=';
  return std::string_view("=<>!~+ ").find(next) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  constexpr std::string_view kEnds = "abcdefghijklmnopqrstuvwxyz0123456789";
  const std::string name = lower(text);
  if (name.empty() || kEnds.find(name.front()) == std::string_view::npos) return false;
  if (kEnds.find(name.back()) == std::string_view::npos) return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

// What pip takes besides a name: an address, a path, a file.
bool is_place(std::string_view word) {
  if (word.find_first_of(" \t;") != std::string_view::npos || visible(word) != word) return false;
  return contains(word, "://") || word.starts_with('/') || word.starts_with("./") ||
         word.starts_with("../") || word.ends_with(".whl") || word.ends_with(".tar.gz");
}

// PEP 508 without its markers: "numpy", "pandas[excel]>=2.1,<3", "name @ https://…".
bool is_requirement(std::string_view word) {
  const auto name_end = word.find_first_of("[<>=!~@ ");
  if (!is_name(word.substr(0, name_end))) return false;
  std::string_view rest = name_end == std::string_view::npos ? "" : trim(word.substr(name_end));
  if (rest.starts_with('[')) {
    const auto close = rest.find(']');
    if (close == std::string_view::npos) return false;
    for (auto extra : split(rest.substr(1, close - 1), ',')) {
      if (!is_name(trim(extra))) return false;
    }
    rest = trim(rest.substr(close + 1));
  }
  if (rest.starts_with('@')) return is_place(trim(rest.substr(1)));
  return VersionSpecifier::parse(rest).has_value();
}

}  // namespace

std::optional<Said> add_wish(std::string_view word, Wish& wish) {
  word = trim(word);
  if (!names_torch(word)) {
    if (!is_place(word) && !is_requirement(word)) {
      return Said{"cli.error.package", {{"value", std::string(word.substr(0, kShown))}}};
    }
    wish.also.emplace_back(word);
    return {};
  }
  Said problem{"cli.error.torch-spec", {{"value", std::string(word)}}};
  std::string_view rest = trim(word.substr(kTorch.size()));
  if (auto plus = rest.rfind('+'); plus != std::string_view::npos) {
    wish.build = std::string(trim(rest.substr(plus + 1)));
    rest = trim(rest.substr(0, plus));
    if (wish.build.empty()) return problem;
  }
  auto specifier = VersionSpecifier::parse(rest);
  if (!specifier) return problem;
  wish.version = *specifier;
  return {};
}

// numpy>=1.26        # comment
// --index-url https://…
// torch==2.13.0 ; python_version >= "3.10"
std::vector<RequirementLine> parse_requirements(std::string_view text) {
  std::vector<RequirementLine> out;
  std::size_t number = 0;
  for (auto line : lines_of(text)) {
    ++number;
    line = trim(line);
    auto comment = line.find(" #");
    line = trim(line.substr(0, comment));
    line = trim(line.substr(0, line.find(';')));
    if (line.ends_with('\\')) line = trim(line.substr(0, line.size() - 1));
    bool is_package = !line.empty() && line[0] != '#' && line[0] != '-';
    if (is_package) out.push_back({number, std::string(trim(line.substr(0, line.find(" --"))))});
  }
  return out;
}

}  // namespace kernelfit::cli
