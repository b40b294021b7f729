// SPDX-License-Identifier: Apache-2.0
#include "pyenv/names.h"

#include "base/text.h"

namespace kernelfit {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view leading(std::string_view text, bool (*accept)(char)) {
  std::size_t end = 0;
  while (end < text.size() && accept(text[end])) ++end;
  return text.substr(0, end);
}

// "3.13.0" off the front of "3.13.0t-x86"; nothing without a dot or a number.
std::optional<DottedVersion> leading_version(std::string_view text) {
  std::string_view digits = leading(text, [](char c) { return is_digit(c) || c == '.'; });
  while (!digits.empty() && digits.back() == '.') digits.remove_suffix(1);
  if (!contains(digits, ".")) return std::nullopt;
  return DottedVersion::parse(digits);
}

}  // namespace

std::string normalized_name(std::string_view name) {
  std::string out;
  for (char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator) {
      out += c;
    } else if (out.empty() || out.back() != '-') {
      out += '-';
    }
  }
  return lower(out);
}

std::optional<PythonId> parse_lib_folder(std::string_view name) {
  PythonId id;
  if (name.starts_with("pypy")) {
    id.implementation = "pypy";
    name.remove_prefix(4);
  } else if (name.starts_with("python")) {
    name.remove_prefix(6);
  } else {
    return std::nullopt;
  }
  if (name.ends_with('t')) {
    id.free_threaded = true;
    name.remove_suffix(1);
  }
  auto version = DottedVersion::parse(name);
  if (!version || version->size() != 2) return std::nullopt;
  id.version = *version;
  return id;
}

std::optional<PythonId> parse_install_folder(std::string_view name) {
  PythonId id;
  for (std::string_view prefix : {"cpython-", "pypy-", "pypy", "graalpy-"}) {
    if (!name.starts_with(prefix)) continue;
    if (prefix.front() != 'c') id.implementation = prefix.front() == 'p' ? "pypy" : "graalpy";
    name.remove_prefix(prefix.size());
    break;
  }
  auto version = leading_version(name);
  if (!version) return std::nullopt;
  id.version = *version;
  std::string_view rest = name.substr(version->text().size());
  id.free_threaded = rest.starts_with("+freethreaded") || rest == "t" || rest.starts_with("t-");
  return id;
}

std::optional<PythonId> parse_conda_python(std::string_view file_name) {
  constexpr std::string_view kPrefix = "python-", kSuffix = ".json";
  if (!file_name.starts_with(kPrefix) || !file_name.ends_with(kSuffix)) return std::nullopt;
  file_name.remove_prefix(kPrefix.size());
  file_name.remove_suffix(kSuffix.size());
  const auto parts = split(file_name, '-');
  if (parts.size() != 2) return std::nullopt;  // python-dateutil-2.8.2-… has one more
  auto version = DottedVersion::parse(parts[0]);
  if (!version || version->size() < 2) return std::nullopt;
  PythonId id;
  id.version = *version;
  id.free_threaded = parts[1].ends_with("t") && contains(parts[1], "_cp3");
  if (contains(parts[1], "pypy")) id.implementation = "pypy";
  return id;
}

}  // namespace kernelfit
