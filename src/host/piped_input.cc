// SPDX-License-Identifier: Apache-2.0
#include "host/piped_input.h"

#include <cstdio>
#include <memory>

namespace kernelfit {
namespace {

Result<std::string> read_stream(std::FILE* in, const std::string& path, std::size_t limit_bytes) {
  std::string text;
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, in)) {
    text.append(block, count);
    if (text.size() > limit_bytes) {
      return error(ErrorKind::unsupported,
                   path + ": longer than " + std::to_string(limit_bytes) + " bytes");
    }
  }
  if (std::ferror(in) != 0) return error(ErrorKind::denied, path + ": could not be read");
  return text;
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<std::string> read_piped(const std::string& path, std::size_t limit_bytes) {
  if (path == "-") return read_stream(stdin, path, limit_bytes);
  const std::unique_ptr<std::FILE, Close> in(std::fopen(path.c_str(), "rb"));
  if (!in) return error(ErrorKind::not_found, path + ": could not be opened");
  return read_stream(in.get(), path, limit_bytes);
}

}  // namespace kernelfit
