// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/run.h"

int main(int argc, char** argv) {
  auto host = kernelfit::real_host();
  return kernelfit::cli::run(*host, {argv + 1, argv + argc}, std::cout, std::cerr,
                             kernelfit::real_console());
}
