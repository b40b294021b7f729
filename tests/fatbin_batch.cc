// SPDX-License-Identifier: Apache-2.0
// Prints what src/elf, src/fatbin and src/scan see in files, for tests/agree_readers.py:
//
//   fatbin_batch FILE…
//   file FILE
//   section NAME OFFSET SIZE TYPE
//   entry SECTION CONTAINER ARCH COMPRESSION
//   problem TEXT
//   time MICROSECONDS            from opening the file to the last entry
#include <chrono>
#include <iostream>

#include "elf/elf_file.h"
#include "host/host.h"
#include "scan/scan.h"

namespace {

using namespace kernelfit;

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Status print(const Host& host, const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  KF_TRY(std::unique_ptr<RandomAccess> file, host.open_file(path));
  ScanOptions options;
  options.sections_only = true;
  const FileScan scan = scan_binary(*file, options);
  const auto end = std::chrono::steady_clock::now();
  if (auto elf = parse_elf(*file)) {
    for (const auto& section : elf->sections) {
      std::cout << "section " << or_dash(section.name) << ' ' << section.offset << ' '
                << section.size_bytes << ' ' << section.type << '\n';
    }
  }
  for (std::size_t i = 0; i < scan.containers.size(); ++i) {
    for (const auto& image : scan.containers[i].images) {
      std::cout << "entry " << or_dash(scan.containers[i].section) << ' ' << i << ' '
                << image.entry.arch.text() << ' ' << image.entry.compression << '\n';
    }
  }
  for (const auto& problem : scan.problems) std::cout << "problem " << problem << '\n';
  std::cout << "time " << std::chrono::duration_cast<std::chrono::microseconds>(end - start).count()
            << '\n';
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<Host> host = real_host();
  for (int i = 1; i < argc; ++i) {
    std::cout << "file " << argv[i] << '\n';
    if (Status status = print(*host, argv[i]); !status) {
      std::cout << "problem " << status.error().text() << '\n';
    }
  }
  return 0;
}
