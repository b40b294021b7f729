// SPDX-License-Identifier: Apache-2.0
#include "pyenv/marker.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

const MarkerValues kLinux = {{"os_name", "posix"},
                             {"sys_platform", "linux"},
                             {"platform_system", "Linux"},
                             {"platform_machine", "x86_64"},
                             {"implementation_name", "cpython"},
                             {"python_version", "3.10"}};

MarkerTruth truth_of(std::string_view text) {
  const auto marker = Marker::parse(text);
  EXPECT_TRUE(marker) << text;
  return marker ? marker->holds(kLinux) : MarkerTruth::unknown;
}

// PEP 508, "Environment Markers": versions compare as versions, other values as text; `and` binds
// tighter than `or`.
TEST(Marker, IsEvaluatedAsThePepSays) {
  for (const char* text :
       {"sys_platform == 'linux'", "python_version >= \"3.9\"", "python_version > '3.2.1'",
        "python_version in '3.9 3.10'", "'linux' in sys_platform", "\"3.8\" < python_version",
        "os_name != 'nt' and sys_platform not in 'win32 cygwin'", "python_version ~= '3.8'",
        "os_name=='nt' or (python_version>='3.7' and os_name=='posix')", "os.name == 'posix'",
        "os_name == 'posix' or os_name == 'nt' and python_version < '3'", "python_version == '3.*'",
        "sys_platform   not   in 'x'"}) {
    EXPECT_EQ(truth_of(text), MarkerTruth::yes) << text;
  }
  for (const char* text :
       {"sys_platform == 'win32'", "python_version < '3.9'", "platform_machine == 'aarch64'",
        "(os_name == 'posix' or os_name == 'nt') and python_version < '3'",
        "implementation_name != 'cpython'", "python_version not in '3.9 3.10'"}) {
    EXPECT_EQ(truth_of(text), MarkerTruth::no) << text;
  }
}

TEST(Marker, IsUnknownOnlyWhereThatDecides) {
  EXPECT_EQ(truth_of("python_full_version < '3.10.4'"), MarkerTruth::unknown);
  EXPECT_EQ(truth_of("platform_release == '6' or os_name == 'posix'"), MarkerTruth::yes);
  EXPECT_EQ(truth_of("platform_release == '6' and os_name == 'nt'"), MarkerTruth::no);
  EXPECT_EQ(truth_of("platform_release == '6' and os_name == 'posix'"), MarkerTruth::unknown);
}

TEST(Marker, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "os_name", "os_name ==", "os_name == posix", "os_name == 'a", "(os_name == 'a'",
        "os_name == 'a')", "os_name == 'a' and", "os_name = 'a'", "'a' == 'a'", "os_name not 'a'",
        "os_name == 'a' os_name == 'b'", "colour == 'red'", "os_name == 'a' & os_name == 'b'"}) {
    EXPECT_FALSE(Marker::parse(text)) << text;
  }
  EXPECT_FALSE(Marker::parse(std::string(100'000, '(')));
}

}  // namespace
}  // namespace kernelfit
