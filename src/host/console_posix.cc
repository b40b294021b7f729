// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "host/console.h"

namespace kernelfit {
namespace {

std::string utc_day() {
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (now == std::time_t{-1} || gmtime_r(&now, &parts) == nullptr) return {};
  char buffer[16];
  std::size_t size = std::strftime(buffer, sizeof buffer, "%Y-%m-%d", &parts);
  return {buffer, size};
}

ErrorKind kind_of(int number) {
  if (number == ENOENT || number == ENOTDIR) return ErrorKind::not_found;
  if (number == EACCES || number == EPERM || number == EROFS) return ErrorKind::denied;
  return ErrorKind::unsupported;
}

Status write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return error(kind_of(errno), std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status write_to(const std::string& path, std::string_view text) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return error(kind_of(errno), std::strerror(errno));
  Status status = write_all(descriptor, text);
  if (::close(descriptor) != 0 && status) status = error(kind_of(errno), std::strerror(errno));
  return status;
}

// A device, a pipe or a symlink is written in place: replacing it would be a surprise.
bool is_replaceable(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return errno == ENOENT;
  return S_ISREG(info.st_mode);
}

}  // namespace

Console real_console() {
  Console console;
  console.is_terminal = ::isatty(STDOUT_FILENO) == 1;
  console.error_is_terminal = ::isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (console.is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    console.columns = size.ws_col;
  }
  if (console.error_is_terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
    console.error_columns = size.ws_col;
  }
  console.today = utc_day();
  return console;
}

Status write_file(std::string_view path, std::string_view text) {
  std::string target(path);
  if (!is_replaceable(target)) return write_to(target, text);
  std::string beside = target + ".kernelfit-" + std::to_string(::getpid());
  if (Status status = write_to(beside, text); !status) return status;
  if (::rename(beside.c_str(), target.c_str()) != 0) {
    int number = errno;
    ::unlink(beside.c_str());
    return error(kind_of(number), std::strerror(number));
  }
  return {};
}

}  // namespace kernelfit
