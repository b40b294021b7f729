// SPDX-License-Identifier: Apache-2.0
// What a command works with: everything that was typed, asked or loaded before it runs.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "host/console.h"
#include "host/host.h"
#include "knowledge/knowledge.h"
#include "machine/machine.h"
#include "message/message.h"
#include "report/report.h"

namespace kernelfit::cli {

struct Context {
  const Args& args;
  const Host& host;       // the machine the question is about: this one, or --host
  const Host& here;       // the process's own
  const Machine* pasted;  // --host FILE: what its text tells; null: `host` is looked at
  const Knowledge& knowledge;
  const Catalogue& say;
  Style style;
  std::vector<Said> notes;  // what every answer should mention
  const Console& console;
  std::ostream& err;  // for a progress line, where console.error_is_terminal
};

// Exit 2: nothing could be answered.
inline Outcome usage(const Context& context, const Said& problem) {
  return {.status = 2, .text = {}, .problem = context.say(problem.key, problem.values)};
}

}  // namespace kernelfit::cli
