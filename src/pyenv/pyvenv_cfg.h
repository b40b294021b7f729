// SPDX-License-Identifier: Apache-2.0
// pyvenv.cfg, the file that makes a folder a virtual environment (PEP 405). Written by venv,
// virtualenv and uv in slightly different words.
#pragma once
#include <string>
#include <string_view>

#include "pyenv/names.h"

namespace kernelfit {

//   home = /usr/bin                        home =
//   /home/user/.local/share/uv/python/cpython-3.12.3-…/bin include-system-site-packages = false
//   implementation = CPython version = 3.11.2                       uv = 0.8.4 executable =
//   /usr/bin/python3.11       version_info = 3.12.3
struct PyvenvCfg {
  std::string home;          // folder of the Python it was made from
  PythonId python;           // its version is empty where the file does not say
  bool system_site = false;  // sees the packages of that Python too
  std::string uv;            // version of the uv that made it; empty: another tool
};
PyvenvCfg parse_pyvenv_cfg(std::string_view text);

}  // namespace kernelfit
