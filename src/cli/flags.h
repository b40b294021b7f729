// SPDX-License-Identifier: Apache-2.0
// Every flag, once. From this table come parsing (command_line.cc), the help texts (help.cc, with
// `cli.flag.<name>` of the catalogue) and the completions and man page that will come.
// flags_test.cc states the table's laws.
#pragma once
#include <span>
#include <string_view>

namespace kernelfit::cli {

// What kinds of command take a flag; a command names its kinds in the command table.
enum Kind : unsigned {
  kEvery = 1U << 0,     // help, version, language, colour, output
  kKnows = 1U << 1,     // uses the knowledge
  kReports = 1U << 2,   // has formats
  kInspects = 1U << 3,  // looks at a machine, or at a recorded one
  kJudges = 1U << 4,    // takes what-if
  kDoctor = 1U << 5,
  kPlan = 1U << 6,
  kTorch = 1U << 7,
  kScan = 1U << 8,
  kExplain = 1U << 9,  // quotes what others wrote
  kPastes = 1U << 10,  // is given it
};

struct Flag {
  std::string_view name;          // "format": --format
  char letter = 0;                // 'f': -f
  std::string_view value = {};    // "FORMAT"; empty: a switch
  std::string_view choices = {};  // "terminal json markdown"; empty: any text
  std::string_view aliases = {};  // "arm64=aarch64": other words for a choice
  bool repeatable = false;
  unsigned on = kEvery;         // kinds of command that take it
  std::string_view group = {};  // "what-if", "output", "other": where help lists it
};

std::span<const Flag> flags();  // sorted by name
const Flag* find_flag(std::string_view name);

}  // namespace kernelfit::cli
