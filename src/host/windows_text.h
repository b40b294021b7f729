// SPDX-License-Identifier: Apache-2.0
// Small words of Windows: UTF-8 to UTF-16 and back, a command line, a handle that closes itself,
// the last error.
#pragma once
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kernelfit {

inline std::wstring wide(std::string_view utf8) {
  auto bytes = static_cast<int>(utf8.size());
  int size = MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, nullptr, 0);
  std::wstring out(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, out.data(), size);
  return out;
}

inline std::string narrow(std::wstring_view text) {
  auto units = static_cast<int>(text.size());
  int size = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), units, out.data(), size, nullptr, nullptr);
  return out;
}

// The rules of CommandLineToArgvW: backslashes count only before a quote.
inline std::string quoted_argument(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\n\v\"") == std::string_view::npos) {
    return std::string(word);
  }
  std::string out = "\"";
  std::size_t backslashes = 0;
  for (char c : word) {
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    out.append(c == '"' ? 2 * backslashes + 1 : backslashes, '\\');
    backslashes = 0;
    out += c;
  }
  out.append(2 * backslashes, '\\');
  return out + '"';
}

inline std::wstring command_line(const std::vector<std::string>& argv) {
  std::string out;
  for (const auto& word : argv) out += (out.empty() ? "" : " ") + quoted_argument(word);
  return wide(out);
}

// Paths from 260 characters on need the prefix that takes them literally.
inline std::wstring wide_path(std::string_view path) {
  std::wstring out = wide(path);
  std::replace(out.begin(), out.end(), L'/', L'\\');
  constexpr std::size_t kPlainLimit = 240;
  bool drive = out.size() > 2 && out[1] == L':' && out[2] == L'\\';
  return drive && out.size() >= kPlainLimit ? L"\\\\?\\" + out : out;
}

class Handle {
 public:
  explicit Handle(HANDLE handle = nullptr)
      : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (handle_ != nullptr) CloseHandle(handle_);
    handle_ = nullptr;
  }
  HANDLE get() const { return handle_; }
  bool is_open() const { return handle_ != nullptr; }

 private:
  HANDLE handle_;
};

inline ErrorKind kind_of_windows_error(DWORD number) {
  switch (number) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY:
    case ERROR_INVALID_DRIVE:
    case ERROR_MOD_NOT_FOUND: return ErrorKind::not_found;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_PRIVILEGE_NOT_HELD: return ErrorKind::denied;
    case ERROR_CANT_RESOLVE_FILENAME: return ErrorKind::malformed;  // a loop of links
    default: return ErrorKind::unsupported;
  }
}

// In English where the system has it, without the line break at its end.
inline tl::unexpected<Error> windows_error(DWORD number, std::string_view path) {
  wchar_t buffer[512];
  constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  DWORD size = FormatMessageW(kFlags, nullptr, number, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US),
                              buffer, 512, nullptr);
  if (size == 0) size = FormatMessageW(kFlags, nullptr, number, 0, buffer, 512, nullptr);
  std::string text = narrow({buffer, size});
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == '.')) {
    text.pop_back();
  }
  if (text.empty()) text = "error " + std::to_string(number);
  return error(kind_of_windows_error(number), std::string(path) + ": " + text);
}

}  // namespace kernelfit
