// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include "cli/flags.h"

namespace kernelfit::cli {
namespace {

constexpr unsigned kJudging = kEvery | kKnows | kReports | kInspects | kJudges;

constexpr Command kCommands[] = {
    {.name = "doctor", .words = "[CHECK...]", .kinds = kJudging | kDoctor, .run = cmd_doctor},
    {.name = "plan",
     .words = "[torch[==X][+cuXXX]] [PACKAGE...] | driver",
     .kinds = kJudging | kPlan,
     .run = cmd_plan},
    {.name = "scan",
     .words = "PATH...",
     .kinds = kEvery | kKnows | kReports | kScan,
     .run = cmd_scan},
    {.name = "explain",
     .words = "[FILE...|-|CODE|WORDS]",
     .kinds = kEvery | kKnows | kReports | kExplain | kPastes,
     .run = cmd_explain},
    {.name = "run",
     .words = "[OPTIONS] [--] CMD...",
     .kinds = kEvery | kKnows | kReports | kExplain,
     .run = cmd_run,
     .on_error = true},
    {.name = "gpu",
     .words = "[NAME|CAPABILITY|PCI-ID...]",
     .kinds = kEvery | kKnows | kReports | kInspects,
     .run = cmd_gpu},
    {.name = "torch",
     .words = "[VERSION]",
     .kinds = kEvery | kKnows | kReports | kTorch,
     .run = cmd_torch},
    {.name = "record", .words = "DIR", .kinds = kEvery | kInspects, .run = cmd_record},
    {.name = "__nvml", .words = "[WHAT]", .kinds = kEvery, .run = cmd_nvml, .hidden = true},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const auto& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace kernelfit::cli
