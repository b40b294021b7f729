// SPDX-License-Identifier: Apache-2.0
// A plain main for a fuzz target: feeds it the empty input and every file of the folder, so that
// what fuzzing once found is looked at in every test run. With libFuzzer this file is not linked.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

static std::vector<std::uint8_t> bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
    return 2;
  }
  std::error_code problem;
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(argv[1], problem)) {
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  }
  if (problem || inputs.empty()) {
    std::fprintf(stderr, "no inputs in %s\n", argv[1]);
    return 2;
  }
  std::sort(inputs.begin(), inputs.end());
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (const auto& path : inputs) {
    std::printf("%s\n", path.filename().string().c_str());  // the last line names what crashed
    std::fflush(stdout);
    auto bytes = bytes_of(path);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu inputs\n", inputs.size() + 1);
  return 0;
}
