// SPDX-License-Identifier: Apache-2.0
#include "nvidia/smi_values.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {
constexpr std::string_view kGpuIsLost = "GPU is lost", kGpuReset = "GPU requires reset";
}  // namespace

std::optional<std::string_view> smi_value(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') return std::nullopt;
  constexpr std::string_view kNothing[] = {"",
                                           "N/A",
                                           "None",
                                           "Not Supported",
                                           "Unknown Error",
                                           "Function Not Found",
                                           "ERR!",
                                           kGpuIsLost,
                                           kGpuReset,
                                           "Insufficient Permissions",
                                           "Insufficient Size"};
  if (std::ranges::find(kNothing, text) != std::end(kNothing)) return std::nullopt;
  return text.starts_with("Requested functionality") ? std::nullopt : std::optional(text);
}

std::string_view smi_trouble(std::string_view text) {
  text = trim(text);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return text == kGpuIsLost || text == kGpuReset ? text : std::string_view();
}

std::optional<std::int64_t> smi_mib(std::string_view text) {
  std::optional<std::string_view> value = smi_value(text);
  if (!value) return std::nullopt;
  std::vector<std::string_view> words = split_words(*value);
  if (words.empty() || words.size() > 2) return std::nullopt;
  // Drivers up to 331 wrote MB and meant the same.
  if (words.size() == 2 && words[1] != "MiB" && words[1] != "MB") return std::nullopt;
  std::optional<std::int64_t> number = parse_int(words[0]);
  if (!number || *number <= 0) return std::nullopt;
  return number;
}

DottedVersion smi_version(std::string_view text) {
  std::vector<std::string_view> words = split_words(text);
  if (words.empty()) return {};
  return DottedVersion::parse(words[0]).value_or(DottedVersion());
}

std::optional<bool> smi_enabled(std::string_view text) {
  text = trim(text);
  if (text == "Enabled") return true;
  if (text == "Disabled") return false;
  return std::nullopt;
}

std::string smi_license(std::string_view text) {
  std::optional<std::string_view> value = smi_value(text);
  if (!value) return {};
  return printable(trim(value->substr(0, value->find('('))));
}

}  // namespace kernelfit
