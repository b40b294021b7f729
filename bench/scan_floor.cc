// SPDX-License-Identifier: Apache-2.0
// What a scan cannot do without, timed in one process beside the scan itself:
//
//   kf_scan_floor FILE RUNS        a binary: microseconds, the best of RUNS, in turn
//     hop N        scan_binary over the named sections, from opening the file
//     headers N    the reads that this must do: one a container with its first entry, one an entry
//     complete N   scan_binary, all of it
//     plain N      a plain read of the bytes outside containers and program code
//     plain_bytes N
//   kf_scan_floor WHEEL RUNS
//     wheel N      scan_paths
//     inflate N    the deflated members that can hold GPU code, inflated and thrown away, on as
//     many
//                  threads
// CPU time of the whole process, so that other programs on the machine count little.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "codec/codec.h"
#include "elf/elf_file.h"
#include "host/host.h"
#include "scan/scan.h"
#include "scan/threads.h"

namespace {

using namespace kernelfit;

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

struct Row {
  const char* name;
  std::function<void()> run;
  double best_us = 1e18;
};

void time_in_turn(std::vector<Row>& rows, int runs) {
  for (int i = 0; i < runs; ++i) {
    for (Row& row : rows) {
      const double start = cpu_us();
      row.run();
      row.best_us = std::min(row.best_us, cpu_us() - start);
    }
  }
  for (const Row& row : rows) std::printf("%s %.1f\n", row.name, row.best_us);
}

struct Range {
  std::uint64_t from, to;
};

std::vector<Range> header_reads(const FileScan& file) {
  std::vector<Range> out;
  for (const auto& container : file.containers) {
    out.push_back({container.offset, container.offset + 80});
    for (std::size_t i = 1; i < container.images.size(); ++i) {
      const std::uint64_t at = container.images[i].entry.offset;
      out.push_back({at, at + 64});
    }
  }
  return out;
}

// Neither containers nor, where the file has a section table, program code.
std::vector<Range> outside(const RandomAccess& access, const FileScan& file) {
  std::vector<Range> inside;
  for (const auto& container : file.containers) {
    std::uint64_t end = container.offset + 16;
    for (const auto& image : container.images) {
      end = std::max(end, image.entry.payload_offset + image.entry.stored_bytes);
    }
    inside.push_back({container.offset, end});
  }
  if (auto elf = parse_elf(access)) {
    for (const auto& section : elf->sections) {
      if (section.flags & 4)
        inside.push_back({section.offset, section.offset + section.size_bytes});
    }
  }
  std::ranges::sort(inside, {}, &Range::from);
  std::vector<Range> out;
  std::uint64_t at = 0;
  for (const Range& range : inside) {
    if (range.from > at) out.push_back({at, range.from});
    at = std::max(at, range.to);
  }
  if (at < access.size()) out.push_back({at, access.size()});
  return out;
}

void read_all_of(const RandomAccess& access, const std::vector<Range>& ranges) {
  std::vector<std::byte> buffer(std::size_t{256} << 10);
  for (const Range& range : ranges) {
    for (std::uint64_t at = range.from; at < range.to;) {
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range.to - at));
      if (!access.read(at, std::span(buffer).first(size))) return;
      at += size;
    }
  }
}

void binary(const Host& host, const std::string& path, int runs) {
  const auto scan = [&](bool sections) {
    ScanOptions options;
    options.sections_only = sections;
    auto access = host.open_file(path);
    return scan_binary(**access, options);
  };
  auto access = host.open_file(path);
  const auto headers = header_reads(scan(true));
  const auto rest = outside(**access, scan(false));
  std::vector<Row> rows = {{"hop", [&] { scan(true); }},
                           {"headers", [&] { read_all_of(**access, headers); }},
                           {"complete", [&] { scan(false); }},
                           {"plain", [&] { read_all_of(**access, rest); }}};
  time_in_turn(rows, runs);
  std::uint64_t bytes = 0;
  for (const Range& range : rest) bytes += range.to - range.from;
  std::printf("plain_bytes %llu\n", static_cast<unsigned long long>(bytes));
}

bool may_hold_code(const std::string& name) {
  return name.find(".so") != name.npos || name.ends_with(".dll") || name.ends_with(".pyd") ||
         name.ends_with(".a") || name.ends_with(".lib") || name.ends_with(".exe");
}

void inflate(const RandomAccess& access, const ZipMember& member) {
  const auto at = member_data_offset(access, member);
  if (!at) return;
  auto stream =
      decode(Codec::deflate, std::make_unique<AccessStream>(access, *at, member.packed_bytes),
             member.size_bytes);
  std::vector<std::byte> buffer(std::size_t{256} << 10);
  for (auto got = stream->read(buffer); got && *got > 0; got = stream->read(buffer)) {
  }
}

void wheel(const Host& host, const std::string& path, int runs) {
  auto access = host.open_file(path);
  auto directory = read_zip_directory(**access);
  if (!directory) return;
  std::vector<ZipMember> members;
  for (const auto& member : directory->members) {
    if (may_hold_code(member.name) && member.method_number == 8) members.push_back(member);
  }
  std::vector<Row> rows = {{"wheel", [&] { scan_paths(host, {path}, {}); }},
                           {"inflate", [&] {
                              in_parallel(members.size(), 0, [&](std::size_t i, std::size_t) {
                                inflate(**access, members[i]);
                              });
                            }}};
  time_in_turn(rows, runs);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto host = real_host();
  const std::string path = argv[1];
  (path.ends_with(".whl") ? wheel : binary)(*host, path, std::atoi(argv[2]));
  return 0;
}
