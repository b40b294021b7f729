// SPDX-License-Identifier: Apache-2.0
// What the program's own process has around it: the terminal it prints to, the day, a file to
// write. Not part of Host: a recorded machine has none of these. main.cc asks once and passes the
// answers on.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace kernelfit {

struct Console {
  bool is_terminal = false;  // stdout is one
  bool error_is_terminal = false;  // stderr is one: progress may be shown there
  int columns = 0;                 // 0: not known
  int error_columns = 0;           // of stderr
  bool unicode = false;  // the terminal takes UTF-8, whatever the locale says (Windows code page)
  std::string today;     // "2026-11-30" in UTC; empty: not known
  std::string user_language;  // of the system's settings where it has them outside the environment
};
Console real_console();

// Replaces the file as a whole: a reader sees the old text or the new one.
Status write_file(std::string_view path, std::string_view text);

}  // namespace kernelfit
