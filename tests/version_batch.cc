// SPDX-License-Identifier: Apache-2.0
// Answers questions about versions, a line in, a line out, for tests/packaging_oracle_test.py:
//
//   compare<TAB>1.0<TAB>1.0.post1       <, =, >, or "invalid"
//   contains<TAB>>=1.0<TAB>1.1<TAB>all  yes, no, or "invalid"; "final" instead of all: no pre-releases
#include <iostream>
#include <string>

#include "base/text.h"
#include "version/version.h"

namespace {

using namespace kernelfit;

std::string compare(std::string_view left, std::string_view right) {
  auto a = PackageVersion::parse(left), b = PackageVersion::parse(right);
  if (!a || !b) return "invalid";
  auto order = *a <=> *b;
  return order < 0 ? "<" : order > 0 ? ">" : "=";
}

std::string contains(std::string_view specifier, std::string_view text, std::string_view which) {
  auto set = VersionSpecifier::parse(specifier);
  auto version = PackageVersion::parse(text);
  if (!set || !version) return "invalid";
  return set->contains(*version, which == "all") ? "yes" : "no";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    auto words = split(line, '\t');
    std::string answer = "?";
    if (words.size() == 3 && words[0] == "compare") answer = compare(words[1], words[2]);
    if (words.size() == 4 && words[0] == "contains") answer = contains(words[1], words[2], words[3]);
    std::cout << answer << '\n';
  }
  return 0;
}
