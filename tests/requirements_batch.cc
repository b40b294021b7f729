// SPDX-License-Identifier: Apache-2.0
// Reads requirements and markers, a line in, a line out, for tests/requirements_oracle_test.py:
//
//   requirement<TAB>torch[a]>=2; os_name == 'nt'   name|extras|specifier|url|marker?, or "invalid"
//   marker<TAB>os_name == 'nt'<TAB>os_name=posix …  yes, no, unknown, or "invalid"
#include <algorithm>
#include <iostream>
#include <string>

#include "base/text.h"
#include "pyenv/marker.h"
#include "pyenv/requirement.h"

namespace {

using namespace kernelfit;

std::string requirement(std::string_view text) {
  auto read = parse_requirement(text);
  const bool good = read && (read->marker.empty() || Marker::parse(read->marker));
  if (!good) return "invalid";
  std::sort(read->extras.begin(), read->extras.end());
  std::vector<std::string> clauses;
  for (auto clause : split(read->specifier, ',')) {
    std::string bare = replace_all(std::string(clause), " ", "");
    if (!bare.empty()) clauses.push_back(std::move(bare));
  }
  std::sort(clauses.begin(), clauses.end());
  return join({read->name, join(read->extras, ","), join(clauses, ","), read->url,
               read->marker.empty() ? "no" : "yes"},
              "|");
}

std::string marker(std::string_view text, std::string_view values) {
  const auto read = Marker::parse(text);
  if (!read) return "invalid";
  MarkerValues known;
  for (auto word : split(values, ' ')) {
    const auto at = word.find('=');
    known[std::string(word.substr(0, at))] = word.substr(at + 1);
  }
  const MarkerTruth truth = read->holds(known);
  return truth == MarkerTruth::yes ? "yes" : truth == MarkerTruth::no ? "no" : "unknown";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    auto words = split(line, '\t');
    std::string answer = "?";
    if (words.size() == 2 && words[0] == "requirement") answer = requirement(words[1]);
    if (words.size() == 3 && words[0] == "marker") answer = marker(words[1], words[2]);
    std::cout << answer << '\n';
  }
  return 0;
}
