// SPDX-License-Identifier: Apache-2.0
// kernelfit record: this machine in a folder, so that any command can replay it with --host.
#include "cli/exit_status.h"
#include "cli/probe_tables.h"
#include "cli/what_if.h"

namespace kernelfit::cli {

Outcome cmd_record(const Context& context) {
  const auto& words = context.args.words;
  if (words.empty()) return usage(context, {"cli.error.record-where", {}});
  if (words.size() > 1) return usage(context, {"cli.error.extra-word", {{"word", words[1]}}});
  auto read = read_what_if(context.args, context.host, context.knowledge);
  if (read.problem) return usage(context, *read.problem);
  ProbeOptions options = probe_options(read.what_if.environments, context.knowledge);
  options.complete_scans = false;  // else the recording holds half of every library
  auto recording = record_host(context.host);
  Machine machine = inspect(*recording, options);
  if (auto problem = environment_problem(read.what_if, machine, context.host)) {
    return usage(context, *problem);
  }
  bool redact = !context.args.has("no-redact");
  if (Status saved = recording->save(words[0], redact); !saved) {
    return usage(context, {"cli.error.record", {{"problem", saved.error().text()}}});
  }
  std::string text = context.say(redact ? "cli.record.done" : "cli.record.done-whole",
                                 {{"folder", words[0]}, {"quoted", shell_quote(words[0])}});
  return {.status = machine.problems.empty() ? kFits : kInPart,
          .text = context.style.quiet ? std::string() : text + "\n",
          .problem = {}};
}

}  // namespace kernelfit::cli
