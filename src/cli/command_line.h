// SPDX-License-Identifier: Apache-2.0
// What was typed. The tables of flags and commands are turned into a parser here, and only here.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "message/said.h"

namespace kernelfit::cli {

// What was typed, not yet what it means.
struct Args {
  const Command* command = nullptr;  // never null after parse_command_line: doctor if none is named
  bool named = false;                // the command was typed
  std::vector<std::string> words;    // what follows it, flags taken out
  std::vector<std::string> program;  // of `run`: the program and its own arguments
  std::map<std::string, std::vector<std::string>, std::less<>> flags;  // a switch has no values

  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  std::string value(std::string_view flag) const;  // the last one; empty where it was not given
  const std::vector<std::string>& values(std::string_view flag) const;
};

struct CommandLine {
  Args args;
  std::optional<Said> problem;  // a usage error, exit 2
};
CommandLine parse_command_line(const std::vector<std::string>& arguments);

// The nearest of `known` by edit distance; empty where none is near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

}  // namespace kernelfit::cli
