// SPDX-License-Identifier: Apache-2.0
// The child process of the NVML probe (src/probe/nvml_child.h): whatever the driver's libraries do
// to it, the parent only reads what it printed.
#include "cli/context.h"
#include "probe/probe.h"

namespace kernelfit::cli {

Outcome cmd_nvml(const Context& context) {
  const auto& words = context.args.words;
  return {.status = 0, .text = nvml_child_report(words.empty() ? "" : words[0]), .problem = {}};
}

}  // namespace kernelfit::cli
