// SPDX-License-Identifier: Apache-2.0
// The child process alone: what `kernelfit __nvml [nvml|cuda]` prints.
#include <cstdio>
#include <string_view>

#include "probe/probe.h"

int main(int argc, char** argv) {
  std::string_view what = argc > 2 ? argv[2] : "";  // argv[1] is "__nvml"
  kernelfit::nvml_child_report(what, [](std::string_view part) {
    std::fwrite(part.data(), 1, part.size(), stdout);
    std::fflush(stdout);
  });
  return 0;
}
