// SPDX-License-Identifier: Apache-2.0
// Small words of POSIX: a file descriptor that closes itself, errno as an Error.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace kernelfit {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { reset(); }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

inline ErrorKind kind_of_errno(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG: return ErrorKind::not_found;
    case EACCES:
    case EPERM: return ErrorKind::denied;
    case ELOOP: return ErrorKind::malformed;
    default: return ErrorKind::unsupported;
  }
}

// "/proc/kmsg: Permission denied"
inline tl::unexpected<Error> errno_error(int number, std::string_view path) {
  return error(kind_of_errno(number), std::string(path) + ": " + std::strerror(number));
}

}  // namespace kernelfit
