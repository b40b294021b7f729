// SPDX-License-Identifier: Apache-2.0
// A folder that is gone when the test is over.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace kernelfit {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            ("kernelfit-" + std::string(test->test_suite_name()) + "-" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(std::string_view below = {}) const {
    return (below.empty() ? path_ : path_ / below).string();
  }
  std::string write(std::string_view below, std::string_view text) const {
    std::filesystem::create_directories((path_ / below).parent_path());
    std::ofstream out(path_ / below, std::ios::binary);
    out << text;
    return path(below);
  }
  std::string read(std::string_view below) const {
    std::ifstream in(path_ / below, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace kernelfit
