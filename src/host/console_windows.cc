// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <cstdio>
#include <ctime>

#include "host/console.h"

namespace kernelfit {
namespace {

std::wstring wide(std::string_view utf8) {
  int size =
      MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()), nullptr, 0);
  std::wstring out(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()), out.data(), size);
  return out;
}

std::string utc_day() {
  SYSTEMTIME now;
  GetSystemTime(&now);
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%04u-%02u-%02u", now.wYear, now.wMonth, now.wDay);
  return buffer;
}

int columns_of(HANDLE screen) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(screen, &info)) return 0;
  return info.srWindow.Right - info.srWindow.Left + 1;
}

}  // namespace

Console real_console() {
  Console console;
  HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  console.is_terminal = GetConsoleMode(out, &mode) != 0;
  if (console.is_terminal) {
    SetConsoleOutputCP(CP_UTF8);
    constexpr DWORD kEscapes = 0x0004;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING
    console.unicode = SetConsoleMode(out, mode | kEscapes) != 0;
    console.columns = columns_of(out);
  }
  DWORD error_mode = 0;
  const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
  console.error_is_terminal = GetConsoleMode(error, &error_mode) != 0;
  if (console.error_is_terminal) console.error_columns = columns_of(error);
  console.today = utc_day();
  if (PRIMARYLANGID(GetUserDefaultUILanguage()) == LANG_CHINESE) console.user_language = "zh";
  return console;
}

Status write_file(std::string_view path, std::string_view text) {
  HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return error(ErrorKind::denied, "system error " + std::to_string(GetLastError()));
  }
  DWORD written = 0;
  bool ok = WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) != 0;
  CloseHandle(file);
  if (!ok || written != text.size()) return error(ErrorKind::unsupported, "the file is not whole");
  return {};
}

}  // namespace kernelfit
