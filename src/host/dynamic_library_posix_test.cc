// SPDX-License-Identifier: Apache-2.0
#include "host/dynamic_library.h"

#include <gtest/gtest.h>

#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

TEST(DynamicLibrary, FindsOptionalSymbols) {
  auto library = DynamicLibrary::open("libc.so.6");
  ASSERT_TRUE(library) << library.error().text();
  auto* length = library->function<std::size_t(const char*)>("strlen");
  ASSERT_NE(length, nullptr);
  EXPECT_EQ(length("four"), 4u);
  EXPECT_EQ(library->symbol("nvmlInit_v2"), nullptr);
  EXPECT_TRUE(library->path().ends_with("libc.so.6")) << library->path();
}

TEST(DynamicLibrary, TellsMissingFromBroken) {
  EXPECT_EQ(DynamicLibrary::open("libnone.so.1").error().kind, ErrorKind::not_found);
  EXPECT_EQ(DynamicLibrary::open("/nowhere/libcuda.so.1").error().kind, ErrorKind::not_found);
  TemporaryFolder folder;
  auto path = folder.write("libcuda.so.1", "");
  auto empty = DynamicLibrary::open(path);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, ErrorKind::unsupported);
  EXPECT_NE(empty.error().text().find("file too short"), std::string::npos) << empty.error().text();
}

}  // namespace
}  // namespace kernelfit
