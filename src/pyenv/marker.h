// SPDX-License-Identifier: Apache-2.0
// Environment markers of PEP 508: `sys_platform == "win32" and python_version < "3.9"`.
// tests/requirements_oracle_test.py judges this file by PyPI's `packaging`.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

// By the variable's name: "sys_platform" -> "linux". What is not there is not known.
using MarkerValues = std::map<std::string, std::string, std::less<>>;

enum class MarkerTruth { no, unknown, yes };

class Marker {
 public:
  // Nothing where it is none.
  static std::optional<Marker> parse(std::string_view text);
  // `unknown` only where a variable that is not known would decide.
  MarkerTruth holds(const MarkerValues& values) const;

 private:
  friend class MarkerParser;
  struct Operand {
    std::string text;
    bool variable = false;
  };
  // In the order of a stack machine: two truths, then what joins them.
  struct Step {
    enum class Kind { compare, conjunction, disjunction } kind = Kind::compare;
    Operand left, right;
    std::string op;
  };
  static MarkerTruth compare(const Step& step, const MarkerValues& values);
  std::vector<Step> steps_;
};

}  // namespace kernelfit
