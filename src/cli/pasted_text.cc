// SPDX-License-Identifier: Apache-2.0
#include "cli/pasted_text.h"

#include <cstdio>
#include <vector>

#include "base/stream.h"

namespace kernelfit::cli {

void read_stdin(PasteReader& paste) {
  std::vector<char> buffer(std::size_t{1} << 16);
  while (std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    paste.feed({buffer.data(), got});
  }
}

Status read_text(const Host& host, const std::string& path, PasteReader& paste) {
  KF_TRY(auto file, host.open_file(path));
  if (file->size() == 0) {
    KF_TRY(std::string text, host.read_file(path));
    paste.feed(text);
    return {};
  }
  AccessStream stream(*file);
  std::vector<std::byte> buffer(std::size_t{1} << 16);
  for (;;) {
    KF_TRY(std::size_t got, stream.read(buffer));
    if (got == 0) return {};
    paste.feed({reinterpret_cast<const char*>(buffer.data()), got});
  }
}

}  // namespace kernelfit::cli
