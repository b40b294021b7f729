// SPDX-License-Identifier: Apache-2.0
// What `kernelfit plan` is asked to install: a torch, and packages beside it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message/said.h"
#include "version/version.h"

namespace kernelfit::cli {

struct Wish {
  VersionSpecifier version;  // of torch; empty: the newest that fits
  std::string build;         // "cu126"
  std::vector<std::string> also;
};

// "torch", "torch==2.13.0", "torch==2.13.0+cu126", "torch+cu126", "torch>=2.1,<2.4",
// "torch==2.15.*"; any other word is a package beside it. A word that names torch and is no wish,
// or that pip would not take, is the problem.
std::optional<Said> add_wish(std::string_view word, Wish& wish);

// The packages of a requirements file, one a line; comments, options and markers are left out.
struct RequirementLine {
  std::size_t number = 0;  // from 1
  std::string word;

  friend bool operator==(const RequirementLine&, const RequirementLine&) = default;
};
std::vector<RequirementLine> parse_requirements(std::string_view text);

}  // namespace kernelfit::cli
