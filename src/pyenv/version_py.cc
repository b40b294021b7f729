// SPDX-License-Identifier: Apache-2.0
#include "pyenv/version_py.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// One assignment of a constant at the left edge, with or without a type:
//   __version__ = '2.11.0.dev20260111+cu130'
//   cuda: Optional[str] = '13.0'
//   hip = None
struct Assignment {
  std::string_view name, value;
  bool is_none = false;
};

std::optional<Assignment> parse_assignment(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || line.empty() || line[0] == ' ' || line[0] == '\t') {
    return std::nullopt;
  }
  Assignment out;
  out.name = trim(line.substr(0, equals));
  out.name = trim(out.name.substr(0, out.name.find(':')));
  std::string_view value = trim(line.substr(equals + 1));
  if (value.starts_with("None")) {
    out.is_none = true;
    return out;
  }
  if (value.empty() || (value[0] != '\'' && value[0] != '"')) return std::nullopt;
  const std::size_t close = value.find(value[0], 1);
  if (close == std::string_view::npos) return std::nullopt;
  out.value = value.substr(1, close - 1);
  return out;
}

}  // namespace

Result<VersionPy> parse_version_py(std::string_view text) {
  VersionPy out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const auto assignment = parse_assignment(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!assignment) continue;
    if (assignment->name == "__version__") out.version = printable(assignment->value);
    if (assignment->name == "git_version") out.git_version = printable(assignment->value);
    if (assignment->name == "hip") out.hip = printable(assignment->value);
    if (assignment->name == "cuda") {
      out.cuda = DottedVersion::parse(assignment->value);
      out.has_cuda = assignment->is_none || out.cuda.has_value();
    }
  }
  if (out.version.empty()) return error(ErrorKind::malformed, "there is no __version__");
  return out;
}

std::string build_of_local_version(std::string_view local) {
  const std::string_view first = local.substr(0, local.find_first_of(".-_"));
  if (first == "cpu" || first == "xpu") return std::string(first);
  if (first.starts_with("cu") && all_digits(first.substr(2)) && first.size() <= 6) {
    return std::string(first);
  }
  if (local.starts_with("rocm")) return std::string(local);
  return {};
}

std::string pip_build_of_cuda(const DottedVersion& cuda) {
  return "cu" + std::to_string(cuda.major()) + std::to_string(cuda.minor());
}

std::string conda_build_of_cuda(const DottedVersion& cuda) {
  return "cuda" + std::to_string(cuda.major()) + "." + std::to_string(cuda.minor());
}

std::optional<DottedVersion> cuda_of_build(std::string_view build) {
  if (build.starts_with("cuda")) return DottedVersion::parse(build.substr(4));
  if (!build.starts_with("cu") || !all_digits(build.substr(2)) || build.size() < 4) {
    return std::nullopt;
  }
  const std::string_view digits = build.substr(2);
  return DottedVersion::parse(std::string(digits.substr(0, digits.size() - 1)) + "." +
                              digits.back());
}

}  // namespace kernelfit
