// SPDX-License-Identifier: Apache-2.0
// kernelfit run: a program as it is, and what its failure means.
#include <map>
#include <memory>

#include "cli/exit_status.h"
#include "cli/explaining.h"
#include "cli/own_machine.h"
#include "host/passed_through.h"

namespace kernelfit::cli {
namespace {

// As shells have it.
constexpr int kCannotStart = 126, kNoProgram = 127;

// Somebody ended it, by Ctrl-C, `kill` or a closed terminal: SIGINT, SIGTERM, SIGHUP (POSIX).
bool was_stopped(const PassedThrough& ran) {
  return ran.signal == 2 || ran.signal == 15 || ran.signal == 1 || ran.status == kInterrupted;
}

// Both outputs as one text: a line is never in two.
class BothOutputs {
 public:
  explicit BothOutputs(PasteReader& paste) : paste_(paste) {}

  void add(Output output, std::string_view bytes) {
    std::string& open = open_[output];
    open += bytes;
    const std::size_t end = open.size() > kLongest ? open.size() : open.rfind('\n') + 1;
    if (end == 0) return;
    paste_.feed(std::string_view(open).substr(0, end));
    open.erase(0, end);
  }
  void finish() {
    for (auto& [output, rest] : open_) {
      if (!rest.empty()) paste_.feed(rest + "\n");
    }
  }

 private:
  static constexpr std::size_t kLongest = std::size_t{1} << 16;  // a line that does not end
  PasteReader& paste_;
  std::map<Output, std::string> open_;
};

Outcome not_started(const Context& context, const Error& why) {
  Fill values = {{"program", context.args.program[0]}, {"problem", why.text()}};
  const bool none = why.kind == ErrorKind::not_found;
  return {.status = none ? kNoProgram : kCannotStart,
          .text = {},
          .problem = context.say(none ? "cli.error.run-none" : "cli.error.run", values)};
}

Outcome failed(const Context& context, int status, Paste paste) {
  Outcome outcome{.status = status, .text = {}, .problem = {}};
  std::vector<std::string> problems;
  const auto rules = load_rules(context.knowledge, problems);
  if (!problems.empty()) {
    outcome.problem = context.say("cli.error.rules", {{"problem", problems[0]}});
    return outcome;
  }
  Explained explained = explain_paste(paste, rules, context);
  if (!explained.findings.empty() && add_own_machine(paste.machine, context)) {
    explained = explain_paste(paste, rules, context);
  }
  const Fill values = {{"program", context.args.program[0]}, {"status", std::to_string(status)}};
  const bool plain = context.style.format == Format::terminal;
  if (plain && explained.findings.empty()) {
    if (!context.style.quiet) outcome.problem = context.say("cli.run.nothing", values);
    return outcome;
  }
  if (plain) outcome.text = "\n" + context.say("cli.run.failed", values) + "\n\n";
  outcome.text += explained.text;
  return outcome;
}

}  // namespace

Outcome cmd_run(const Context& context) {
  if (context.args.program.empty()) return usage(context, {"cli.error.run-what", {}});
  std::unique_ptr<PasteReader> paste;  // once the program runs: it does not wait for us
  std::unique_ptr<BothOutputs> outputs;
  const auto see = [&](Output output, std::string_view bytes) {
    if (!outputs) {
      paste = std::make_unique<PasteReader>(context.knowledge);
      outputs = std::make_unique<BothOutputs>(*paste);
    }
    outputs->add(output, bytes);
  };
  const auto ran = run_passed_through(context.args.program, see);
  if (!ran) return not_started(context, ran.error());
  if (ran->status == 0 || was_stopped(*ran))
    return {.status = ran->status, .text = {}, .problem = {}};
  if (!outputs) return failed(context, ran->status, {});
  outputs->finish();
  return failed(context, ran->status, paste->finish());
}

}  // namespace kernelfit::cli
