// SPDX-License-Identifier: Apache-2.0
// Reads a real text of tests/fixtures/machines (MANIFEST.tsv says where each is from). Tests only.
#pragma once
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace kernelfit {

inline std::string fixture(std::string_view name) {
  std::ifstream file(std::string(KF_TESTS_DIR "/fixtures/machines/") + std::string(name),
                     std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace kernelfit
