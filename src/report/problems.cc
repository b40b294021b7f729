// SPDX-License-Identifier: Apache-2.0
#include "report/problems.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace kernelfit::report {
namespace {

// More particular ones first.
constexpr auto kKeys = std::to_array<std::string_view>(
    {"report.problem.no-answer", "report.problem.crashed", "report.problem.folder-missing",
     "report.problem.file-missing", "report.problem.no-gpu-code", "report.problem.no-environment",
     "report.problem.records", "report.problem.denied", "report.problem.not-read",
     "report.problem.not-told"});

// "{what} did not answer in {seconds} s" over "NVML did not answer in 20 s": what, seconds.
std::optional<Fill> match(std::string_view pattern, std::string_view text) {
  Fill values;
  while (true) {
    const auto open = pattern.find('{');
    if (!text.starts_with(pattern.substr(0, open))) return std::nullopt;
    if (open == std::string_view::npos)
      return text == pattern ? std::optional(values) : std::nullopt;
    text.remove_prefix(open);
    const auto close = pattern.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string name(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
    const std::string_view literal = pattern.substr(0, pattern.find('{'));
    const auto end = literal.empty() ? text.size() : text.rfind(literal);
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    values.emplace_back(name, std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
}

}  // namespace

std::string problem_text(std::string_view problem, const Catalogue& say) {
  static const Catalogue kEnglish = load_catalogue("en");
  if (say.language() == "en") return std::string(problem);
  for (const auto key : kKeys) {
    if (const auto values = match(kEnglish.raw(key), problem)) return say(key, *values);
  }
  return std::string(problem);
}

}  // namespace kernelfit::report
