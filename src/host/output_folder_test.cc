// SPDX-License-Identifier: Apache-2.0
#include "host/output_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

namespace fs = std::filesystem;

TEST(OutputFolder, WritesOverNothing) {
  const TemporaryFolder temporary;
  const std::string path = temporary.path() + "/out";
  auto folder = OutputFolder::open(path).value();
  EXPECT_EQ(folder.add("a.cubin", as_bytes("one")).value(), OutputFolder::Added::written);
  EXPECT_EQ(folder.add("a.cubin", as_bytes("one")).value(), OutputFolder::Added::same);
  EXPECT_EQ(folder.add("a.cubin", as_bytes("two")).error().kind, ErrorKind::denied);
  std::ifstream in(path + "/a.cubin");
  std::string found;
  in >> found;
  EXPECT_EQ(found, "one");
}

TEST(OutputFolder, NoNameLeadsOut) {
  const TemporaryFolder temporary;
  auto folder = OutputFolder::open(temporary.path() + "/out").value();
  for (std::string_view name : {"", ".", "..", "../x", "/etc/x", "a/b", "a\\b", "C:x"}) {
    EXPECT_EQ(folder.add(name, as_bytes("x")).error().kind, ErrorKind::usage) << name;
  }
  EXPECT_FALSE(fs::exists(temporary.path() + "/x"));
}

TEST(OutputFolder, FollowsNoLink) {
  const TemporaryFolder temporary;
  auto folder = OutputFolder::open(temporary.path() + "/out").value();
  fs::create_symlink(temporary.path() + "/elsewhere", folder.path() + "/a");
  EXPECT_FALSE(folder.add("a", as_bytes("x")));
  EXPECT_FALSE(fs::exists(temporary.path() + "/elsewhere"));
}

TEST(OutputFolder, TakesBackWhatItWroteAndNothingElse) {
  const TemporaryFolder temporary;
  const std::string made = temporary.path() + "/made", old = temporary.path() + "/old";
  fs::create_directory(old);
  std::ofstream(old + "/kept") << "kept";
  for (const auto& path : {made, old}) {
    auto folder = OutputFolder::open(path).value();
    ASSERT_TRUE(folder.add("a", as_bytes("x")));
    folder.take_back();
  }
  EXPECT_FALSE(fs::exists(made));
  EXPECT_TRUE(fs::exists(old + "/kept"));
  EXPECT_FALSE(fs::exists(old + "/a"));
}

TEST(OutputFolder, IsNoFile) {
  const TemporaryFolder temporary;
  std::ofstream(temporary.path() + "/file") << "x";
  EXPECT_FALSE(OutputFolder::open(temporary.path() + "/file"));
  EXPECT_FALSE(OutputFolder::open(temporary.path() + "/no/parent"));
}

}  // namespace
}  // namespace kernelfit
