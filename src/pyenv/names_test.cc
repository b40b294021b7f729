// SPDX-License-Identifier: Apache-2.0
#include "pyenv/names.h"

#include <gtest/gtest.h>

#include "pyenv/pyvenv_cfg.h"

namespace kernelfit {
namespace {

TEST(Names, AreNormalisedAsPep503Says) {
  for (const char* name :
       {"Flash-Attn", "flash_attn", "flash.attn", "FLASH--attn", "flash-_.attn"}) {
    EXPECT_EQ(normalized_name(name), "flash-attn") << name;
  }
  EXPECT_EQ(normalized_name("nvidia_cublas_cu12"), "nvidia-cublas-cu12");
}

struct IdCase {
  const char* text;
  const char* version;
  bool free_threaded;
  const char* implementation;
};
constexpr IdCase kLib[] = {
    {"python3.12", "3.12", false, "cpython"},
    {"python3.13t", "3.13", true, "cpython"},
    {"python2.7", "2.7", false, "cpython"},
    {"pypy3.10", "3.10", false, "pypy"},
};
constexpr IdCase kInstall[] = {
    {"cpython-3.12.3-linux-x86_64-gnu", "3.12.3", false, "cpython"},
    {"cpython-3.13.0+freethreaded-linux-x86_64-gnu", "3.13.0", true, "cpython"},
    {"pypy-3.10.14-linux-x86_64-gnu", "3.10.14", false, "pypy"},
    {"3.11.7", "3.11.7", false, "cpython"},
    {"3.13.0t", "3.13.0", true, "cpython"},
    {"pypy3.10-7.3.12", "3.10", false, "pypy"},
};
constexpr IdCase kConda[] = {
    {"python-3.10.12-hd12c33a_0_cpython.json", "3.10.12", false, "cpython"},
    {"python-3.13.0-h9ebbce0_100_cp313.json", "3.13.0", false, "cpython"},
    {"python-3.13.0-h9ebbce0_0_cp313t.json", "3.13.0", true, "cpython"},
};

template <typename Table, typename Parse>
void expect(const Table& table, Parse parse) {
  for (const auto& c : table) {
    SCOPED_TRACE(c.text);
    auto id = parse(c.text);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->version.text(), c.version);
    EXPECT_EQ(id->free_threaded, c.free_threaded);
    EXPECT_EQ(id->implementation, c.implementation);
  }
}

TEST(PythonId, IsReadFromFolderNames) {
  expect(kLib, parse_lib_folder);
  expect(kInstall, parse_install_folder);
  expect(kConda, parse_conda_python);
  for (const char* text : {"python3", "python", "python3.12.1", "pythonx.y", "lib"}) {
    EXPECT_FALSE(parse_lib_folder(text)) << text;
  }
  for (const char* text : {"miniconda3-latest", "system", "", "cpython-"}) {
    EXPECT_FALSE(parse_install_folder(text)) << text;
  }
  for (const char* text : {"python-dateutil-2.8.2-pyhd8ed1ab_0.json",
                           "python_abi-3.10-3_cp310.json", "python-3.10.12.json"}) {
    EXPECT_FALSE(parse_conda_python(text)) << text;
  }
}

TEST(PyvenvCfg, ReadsVenvVirtualenvAndUv) {
  PyvenvCfg venv = parse_pyvenv_cfg(
      "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n"
      "executable = /usr/bin/python3.11\n");
  EXPECT_EQ(venv.home, "/usr/bin");
  EXPECT_EQ(venv.python.version.text(), "3.11.2");
  EXPECT_FALSE(venv.system_site);
  PyvenvCfg virtualenv = parse_pyvenv_cfg(
      "home = C:\\Python310\r\nimplementation = CPython\r\nversion_info = 3.10.11.final.0\r\n"
      "include-system-site-packages = TRUE\r\nversion = 3.10.11\r\n");
  EXPECT_EQ(virtualenv.python.version.text(), "3.10.11");
  EXPECT_EQ(virtualenv.python.implementation, "cpython");
  EXPECT_TRUE(virtualenv.system_site);
  PyvenvCfg uv = parse_pyvenv_cfg("implementation = PyPy\nuv = 0.8.4\nversion_info = 3.10.14\n");
  EXPECT_EQ(uv.uv, "0.8.4");
  EXPECT_EQ(uv.python.implementation, "pypy");
  EXPECT_TRUE(parse_pyvenv_cfg("no equals\nversion = x\n").python.version.empty());
}

}  // namespace
}  // namespace kernelfit
