// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.h"

#include "base/text.h"

namespace kernelfit::cli {
namespace {

constexpr std::string_view kTorch = "torch";

bool names_torch(std::string_view word) {
  if (!word.starts_with(kTorch)) return false;
  char next = word.size() > kTorch.size() ? word[kTorch.size()] : '=';
  return std::string_view("=<>!~+ ").find(next) != std::string_view::npos;
}

}  // namespace

std::optional<Said> add_wish(std::string_view word, Wish& wish) {
  word = trim(word);
  if (!names_torch(word)) {
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
std::vector<std::string> parse_requirements(std::string_view text) {
  std::vector<std::string> out;
  for (auto line : lines_of(text)) {
    line = trim(line);
    auto comment = line.find(" #");
    line = trim(line.substr(0, comment));
    line = trim(line.substr(0, line.find(';')));
    if (line.ends_with('\\')) line = trim(line.substr(0, line.size() - 1));
    bool is_package = !line.empty() && line[0] != '#' && line[0] != '-';
    if (is_package) out.emplace_back(trim(line.substr(0, line.find(" --"))));
  }
  return out;
}

}  // namespace kernelfit::cli
