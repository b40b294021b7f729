// SPDX-License-Identifier: Apache-2.0
#include "pyenv/marker.h"

#include <algorithm>

#include "base/text.h"
#include "version/version.h"

namespace kernelfit {
namespace {

constexpr int kDeepest = 40;  // brackets in brackets
constexpr std::size_t kMostSteps = 500;

constexpr std::string_view kVariables[] = {
    "os_name",
    "sys_platform",
    "platform_machine",
    "platform_python_implementation",
    "platform_release",
    "platform_system",
    "platform_version",
    "python_version",
    "python_full_version",
    "implementation_name",
    "implementation_version",
    "extra",
};

// Setuptools' names from before PEP 508, which pip still reads.
constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
    {"os.name", "os_name"},
    {"sys.platform", "sys_platform"},
    {"platform.version", "platform_version"},
    {"platform.machine", "platform_machine"},
    {"platform.python_implementation", "platform_python_implementation"},
    {"python_implementation", "platform_python_implementation"},
};

std::optional<std::string> variable_named(std::string_view word) {
  for (const auto& [old, name] : kOldNames) {
    if (word == old) return std::string(name);
  }
  if (std::find(std::begin(kVariables), std::end(kVariables), word) == std::end(kVariables))
    return std::nullopt;
  return std::string(word);
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

bool compares(const std::string& left, const std::string& op, const std::string& right) {
  if (op == "in") return contains(right, left);
  if (op == "not in") return !contains(right, left);
  // Versions where both are, as PEP 508 asks; else text.
  if (const auto specifier = VersionSpecifier::parse(op + right)) {
    if (const auto version = PackageVersion::parse(left)) return specifier->contains(*version);
  }
  if (op == "==" || op == "===") return left == right;
  if (op == "!=") return left != right;
  if (op == "<") return left < right;
  if (op == "<=") return left <= right;
  if (op == ">") return left > right;
  return op == ">=" && left >= right;
}

}  // namespace

// marker = term ("or" term)*, term = factor ("and" factor)*, factor = "(" marker ")" | a op b
class MarkerParser {
 public:
  explicit MarkerParser(std::string_view text) : rest_(text) {}

  std::optional<Marker> whole() {
    Marker out;
    if (!disjunction(out, 0)) return std::nullopt;
    skip_space();
    if (!rest_.empty() || out.steps_.size() > kMostSteps) return std::nullopt;
    return out;
  }

 private:
  using Kind = Marker::Step::Kind;

  void skip_space() { rest_ = trim(rest_); }

  bool take_word(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    if (rest_.size() > word.size() && is_word_char(rest_[word.size()])) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool take_char(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool disjunction(Marker& out, int depth) {
    if (!conjunction(out, depth)) return false;
    while (take_word("or")) {
      if (!conjunction(out, depth)) return false;
      out.steps_.push_back({Kind::disjunction, {}, {}, {}});
    }
    return true;
  }

  bool conjunction(Marker& out, int depth) {
    if (!factor(out, depth)) return false;
    while (take_word("and")) {
      if (!factor(out, depth)) return false;
      out.steps_.push_back({Kind::conjunction, {}, {}, {}});
    }
    return true;
  }

  bool factor(Marker& out, int depth) {
    if (depth > kDeepest) return false;
    if (take_char('(')) return disjunction(out, depth + 1) && take_char(')');
    Marker::Step step;
    if (!operand(step.left) || !operation(step.op) || !operand(step.right)) return false;
    if (!step.left.variable && !step.right.variable) return false;
    out.steps_.push_back(std::move(step));
    return true;
  }

  bool operand(Marker::Operand& out) {
    skip_space();
    if (rest_.empty()) return false;
    const char quote = rest_.front();
    if (quote == '"' || quote == '\'') {
      const std::size_t end = rest_.find(quote, 1);
      if (end == std::string_view::npos) return false;
      out.text = rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
      return true;
    }
    std::size_t end = 0;
    while (end < rest_.size() && is_word_char(rest_[end])) ++end;
    const auto name = variable_named(rest_.substr(0, end));
    if (!name) return false;
    out = {*name, true};
    rest_.remove_prefix(end);
    return true;
  }

  bool operation(std::string& out) {
    skip_space();
    for (const std::string_view op : {"===", "~=", "==", "!=", "<=", ">=", "<", ">"}) {
      if (!rest_.starts_with(op)) continue;
      out = op;
      rest_.remove_prefix(op.size());
      return true;
    }
    out = "in";
    if (take_word("in")) return true;
    out = "not in";
    return take_word("not") && take_word("in");
  }

  std::string_view rest_;
};

std::optional<Marker> Marker::parse(std::string_view text) {
  return MarkerParser(text).whole();
}

MarkerTruth Marker::compare(const Step& step, const MarkerValues& values) {
  std::string sides[2];
  for (int i = 0; i < 2; ++i) {
    const Operand& operand = i == 0 ? step.left : step.right;
    const auto found = operand.variable ? values.find(operand.text) : values.end();
    if (operand.variable && found == values.end()) return MarkerTruth::unknown;
    sides[i] = operand.variable ? found->second : operand.text;
  }
  return compares(sides[0], step.op, sides[1]) ? MarkerTruth::yes : MarkerTruth::no;
}

MarkerTruth Marker::holds(const MarkerValues& values) const {
  std::vector<MarkerTruth> stack;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::compare) {
      stack.push_back(compare(step, values));
      continue;
    }
    const MarkerTruth right = stack.back();
    stack.pop_back();
    MarkerTruth& left = stack.back();
    left = step.kind == Step::Kind::conjunction ? std::min(left, right) : std::max(left, right);
  }
  return stack.empty() ? MarkerTruth::unknown : stack.back();
}

}  // namespace kernelfit
