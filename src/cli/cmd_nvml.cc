// SPDX-License-Identifier: Apache-2.0
// The child process of the NVML probe (src/probe/nvml_child.h): whatever the driver's libraries do
// to it, the parent only reads what it printed.
#include <iostream>

#include "cli/context.h"
#include "probe/probe.h"

namespace kernelfit::cli {

Outcome cmd_nvml(const Context& context) {
  const auto& words = context.args.words;
  // Line by line: what was said stands, whatever the next library does to this process.
  nvml_child_report(words.empty() ? "" : words[0],
                    [](std::string_view line) { std::cout << line << std::flush; });
  return {.status = 0, .text = {}, .problem = {}};
}

}  // namespace kernelfit::cli
