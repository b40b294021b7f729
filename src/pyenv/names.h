// SPDX-License-Identifier: Apache-2.0
// Names in Python's world: of packages, and of the folders that say which Python this is.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "version/version.h"

namespace kernelfit {

// PEP 503: "Flash_Attn" and "flash.attn" are "flash-attn".
std::string normalized_name(std::string_view name);

struct PythonId {
  DottedVersion version;  // as far as the name says: "3.12" or "3.12.3"
  bool free_threaded = false;
  std::string implementation = "cpython";  // "pypy", "graalpy"
};

// lib/python3.12, lib/python3.13t, lib/pypy3.10; also the file names python3.12 and python3.13t.
std::optional<PythonId> parse_lib_folder(std::string_view name);
// uv: cpython-3.12.3-linux-x86_64-gnu, cpython-3.13.0+freethreaded-linux-x86_64-gnu;
// pyenv: 3.12.3, 3.13.0t, pypy3.10-7.3.12
std::optional<PythonId> parse_install_folder(std::string_view name);
// conda-meta: python-3.10.12-h955ad1f_0_cpython.json, python-3.13.0-h9ebbce0_100_cp313t.json
std::optional<PythonId> parse_conda_python(std::string_view file_name);

}  // namespace kernelfit
