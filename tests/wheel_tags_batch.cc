// SPDX-License-Identifier: Apache-2.0
// Answers questions about wheels, a line in, a line out, for tests/wheel_tags_oracle_test.py:
//
//   tags<TAB>TARGET             every supported tag, spaces between
//   fits<TAB>TARGET<TAB>TAG     yes, no, or "invalid"
//   name<TAB>FILE               name version build tag tag …, "-" for no build, or "invalid"
//
// TARGET is PYTHON,IMPLEMENTATION,OS,CPU,GLIBC,MUSL; 3.13t is free-threaded; empty MUSL: glibc.
#include <iostream>
#include <string>

#include "base/text.h"
#include "pyenv/wheel_tags.h"

namespace {

using namespace kernelfit;

WheelTarget target_of(std::string_view text) {
  auto words = split(text, ',');
  words.resize(6);
  WheelTarget target;
  target.free_threaded = words[0].ends_with('t');
  target.python = dotted(target.free_threaded ? words[0].substr(0, words[0].size() - 1) : words[0]);
  target.implementation = words[1];
  target.os = words[2];
  target.cpu_arch = words[3];
  target.glibc = dotted(words[4]);
  target.musl = !words[5].empty();
  if (target.musl) target.musl_version = dotted(words[5]);
  return target;
}

std::string tags(std::string_view target) {
  std::vector<std::string> out;
  for (const auto& tag : compatible_tags(target_of(target))) out.push_back(tag.text());
  return join(out, " ");
}

std::string fits(std::string_view target, std::string_view tag) {
  auto tags = parse_wheel_tags(tag);
  if (!tags) return "invalid";
  return any_tag_fits(*tags, target_of(target)) ? "yes" : "no";
}

std::string name(std::string_view file) {
  auto wheel = parse_wheel_name(file);
  if (!wheel) return "invalid";
  std::string out = wheel->name + " " + wheel->version + " ";
  out += wheel->build.empty() ? "-" : wheel->build;
  for (const auto& tag : wheel->tags) out += " " + tag.text();
  return out;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    auto words = split(line, '\t');
    std::string answer = "?";
    if (words.size() == 2 && words[0] == "tags") answer = tags(words[1]);
    if (words.size() == 3 && words[0] == "fits") answer = fits(words[1], words[2]);
    if (words.size() == 2 && words[0] == "name") answer = name(words[1]);
    std::cout << answer << '\n';
  }
  return 0;
}
