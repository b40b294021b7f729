// SPDX-License-Identifier: Apache-2.0
// The language of a rule's `when`: a yes, a no, or not known, over named facts.
//
//   driver.module_loaded == 'no' and (system.secure_boot or kernel.key-rejected exists)
//   card.capability < verdict.arch_min and verdict.is in ('no-code', 'partial')
//   plan.commands exists        driver.version is absent        env.conda contains 'cpuonly'
//
// Numbers and versions compare as versions (12.6 < 12.10), everything else as text. A name alone
// asks whether it is "yes". What is unknown makes no rule speak: `not` of unknown is unknown.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diagnose/facts.h"

namespace kernelfit {

enum class Truth { no, unknown, yes };

class Condition {
 public:
  // Errors name the place in the text. The empty text is always true.
  static Result<Condition> parse(std::string_view text);

  Truth evaluate(const Facts& facts) const;
  std::vector<std::string> names() const;   // the facts it asks for, sorted, unique
  std::vector<std::string> wanted() const;  // those of them whose absence it does not want

  struct Operand {
    bool is_name = false;
    std::string text;
  };
  struct Node {
    enum class Kind {
      always,
      truth,
      compare,
      in,
      contains,
      exists,
      is_known,
      is_absent,
      is_unknown,
      conjunction,
      disjunction,
      negation
    };
    Kind kind = Kind::always;
    Operand left;
    std::string op;  // of compare
    std::vector<Operand> right;
    std::vector<std::size_t> parts;  // of and, or, not: indices into nodes
  };

 private:
  Truth evaluate(std::size_t node, const Facts& facts) const;
  void add_wanted(std::size_t node, std::vector<std::string>& out) const;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
  friend class ConditionParser;
};

}  // namespace kernelfit
