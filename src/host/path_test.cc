// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/file_names.h"
#include "host/host.h"

namespace kernelfit {
namespace {

TEST(Path, JoinsInTheFormOfItsFirstPart) {
  struct {
    const char *a, *b, *joined;
  } cases[] = {{"/usr", "lib", "/usr/lib"},
               {"/usr/", "lib", "/usr/lib"},
               {"/", "usr", "/usr"},
               {"", "usr", "usr"},
               {"C:\\Python312", "Lib", "C:\\Python312\\Lib"},
               {"C:\\", "Windows", "C:\\Windows"},
               {"C:/Python312", "Lib", "C:/Python312\\Lib"},
               {"\\\\wsl$\\Ubuntu", "home", "\\\\wsl$\\Ubuntu\\home"}};
  for (const auto& c : cases) EXPECT_EQ(join_path(c.a, c.b), c.joined);
}

TEST(Path, NameAndParent) {
  struct {
    const char *path, *name, *parent;
  } cases[] = {{"/usr/lib/libcuda.so.1", "libcuda.so.1", "/usr/lib"},
               {"/usr/lib/", "lib", "/usr"},
               {"/usr", "usr", "/"},
               {"/", "", "/"},
               {"name", "name", ""},
               {"C:\\Windows\\System32", "System32", "C:\\Windows"},
               {"C:\\Windows", "Windows", "C:\\"},
               {"C:\\a/b", "b", "C:\\a"},
               {"/odd\\name", "odd\\name", "/"}};
  for (const auto& c : cases) {
    EXPECT_EQ(base_name(c.path), c.name) << c.path;
    EXPECT_EQ(parent_path(c.path), c.parent) << c.path;
  }
}

TEST(FileNames, AreMadeFitForEveryFileSystemAndBack) {
  EXPECT_EQ(encode_file_name("0000:01:00.0"), "0000%3A01%3A00.0");
  for (const char* name : {"0000:01:00.0", "a%b", "100%", "%3A", "a\\b", "plain.txt", "?*|<>\""}) {
    EXPECT_EQ(decode_file_name(encode_file_name(name)), name);
  }
  EXPECT_EQ(decode_file_name("0000:01:00.0"), "0000:01:00.0");  // written by hand on Linux
  EXPECT_EQ(decode_file_name("50%41"), "50%41");                // no name was written like this
}

}  // namespace
}  // namespace kernelfit
