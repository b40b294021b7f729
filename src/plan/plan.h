// SPDX-License-Identifier: Apache-2.0
// From an Answer to what a person types. Every command is complete, quoted, one per line, and
// really changes what is installed: an exact local version replaces another build without force.
#pragma once
#include <string>
#include <vector>

#include "solve/solve.h"

namespace kernelfit {

struct CommandBlock {
  std::string tool;   // "pip", "uv", "conda", "docker", "driver", "python"
  std::string shell;  // "sh", "powershell", "cmd"
  std::vector<std::string> lines;
  Said when;  // empty key: no remark
};

// A remark that has to stand beside the lines wherever they are shown: who made the build, what
// goes first. Others only tell the blocks of one plan apart, and say nothing beside a single one.
bool tells_more(const Said& when);

struct PlanOptions {
  std::string mirror;        // "", "tuna", "ustc", "aliyun", "nju", "sjtu"
  std::string interpreter;   // path of the environment's python; empty: `python`
  std::string manager;       // how the environment was made: "pip", "uv", "conda"; the first block
  std::string conda_prefix;  // of a conda environment
  bool damaged = false;      // files are broken: force, then --no-deps or --reinstall-package
};

struct Plan {
  Answer answer;
  std::vector<CommandBlock>
      commands;  // best first; empty for keep, ask and no-build without CPU way
  std::vector<std::vector<CommandBlock>> alternative_commands;  // beside answer.alternatives
  std::vector<Said> notes;  // mirror "not checked", knowledge older than 60 days
};

Plan make_plan(const Request& request, const Answer& answer, const PlanOptions& options,
               const Knowledge& knowledge);

// The steps to get a driver: distribution packages, open or proprietary flavour, Windows, WSL
// (the Windows driver), `kernelfit plan driver`.
std::vector<CommandBlock> driver_commands(const Request& request, const DottedVersion& driver,
                                          const Knowledge& knowledge);

}  // namespace kernelfit
