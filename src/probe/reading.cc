// SPDX-License-Identifier: Apache-2.0
#include "probe/reading.h"

namespace kernelfit {

std::string read_trimmed(const Host& host, std::string_view path) {
  Result<std::string> text = host.read_file(path, std::size_t{64} << 10);
  if (!text) return {};
  std::string_view view = *text;
  while (!view.empty() && view.back() == '\0') view.remove_suffix(1);
  return printable(trim(view));
}

bool is_wsl(const Machine& machine) {
  return machine.system.os.is("wsl");
}
bool is_windows(const Machine& machine) {
  return machine.system.os.is("windows");
}
bool is_jetson(const Machine& machine) {
  const Fact<std::string>& l4t = machine.system.l4t;
  return l4t.has() || (l4t.is_unknown() && l4t.source() == kTegraRelease);
}

}  // namespace kernelfit
