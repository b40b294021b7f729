// SPDX-License-Identifier: Apache-2.0
// `kernelfit run [OPTIONS] [--] CMD…`: from the program's name on, nothing is an option of ours.
#pragma once
#include <string>
#include <vector>

namespace kernelfit::cli {

struct ProgramWords {
  std::vector<std::string> own, program;
};
// Also of `explain --run`. Of other commands all is `own`.
ProgramWords split_off_program(const std::vector<std::string>& arguments);

}  // namespace kernelfit::cli
