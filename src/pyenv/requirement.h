// SPDX-License-Identifier: Apache-2.0
// One requirement as PEP 508 writes it, whoever wrote it: a Requires-Dist line, a line of a
// requirements file, a word on the command line.
//   torch[opt-einsum] (>=2.1,<2.4) ; sys_platform == "linux"
//   torch @ https://example.org/torch-2.6.0-cp312-cp312-linux_x86_64.whl ; os_name == "posix"
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct Requirement {
  std::string name;                 // normalised
  std::vector<std::string> extras;  // as written
  std::string specifier;            // "==1.13.1", "(>=1.0)" without its brackets; empty: any
  std::string url;                  // behind the @; empty: from an index
  std::string marker;               // behind the semicolon; empty: always
};
// Nothing where pip would not take it: the specifier is one of PEP 440. The marker is not read.
std::optional<Requirement> parse_requirement(std::string_view text);

}  // namespace kernelfit
