// SPDX-License-Identifier: Apache-2.0
// Every command, once: a line of the table and a file cmd_<name>.cc. A command understands its
// arguments, inspects or loads, thinks, renders, and says how it went; run.cc does the rest.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace kernelfit::cli {

struct Context;

// What a command answers: text for stdout and the status of docs/contract.md 2.
struct Outcome {
  int status = 0;
  std::string text;     // stdout (stderr where the command is `on_error`)
  std::string problem;  // stderr, one line
};

struct Command {
  std::string_view name;
  std::string_view words;  // "[CHECK...]": what may follow, for help; empty: nothing
  unsigned kinds = 0;      // which flags it takes (flags.h)
  Outcome (*run)(const Context& context);
  bool hidden = false;    // not in help: for kernelfit itself
  bool on_error = false;  // answers on stderr: stdout is another's
};

std::span<const Command> commands();  // in the order of help; hidden ones last
const Command* find_command(std::string_view name);

Outcome cmd_doctor(const Context& context);
Outcome cmd_plan(const Context& context);
Outcome cmd_explain(const Context& context);
Outcome cmd_run(const Context& context);
Outcome cmd_scan(const Context& context);
Outcome cmd_gpu(const Context& context);
Outcome cmd_torch(const Context& context);
Outcome cmd_record(const Context& context);
Outcome cmd_nvml(const Context& context);

}  // namespace kernelfit::cli
