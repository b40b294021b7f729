// SPDX-License-Identifier: Apache-2.0
// Which library inflates the members of a wheel fastest, and in pieces of which size:
//
//   kf_inflate_bench WHEEL… [--runs N]
//
// Each is run in turn, A B C A B C, and the best processor time of its runs is printed: what stands
// in the way is the machine, never the library. The packed bytes are in memory before. libdeflate
// needs the whole member in memory, packed and plain, and is here as the bound.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "codec/decoder.h"
#include "host/host.h"
#if KF_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

namespace {

using namespace kernelfit;

constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;

struct Member {
  std::string name;
  std::vector<std::byte> packed;
  std::uint64_t size = 0;
};

struct Way {
  std::string name;
  std::function<std::uint64_t(const Member&)> run;  // how many bytes came out
  double best = 1e9;
};

std::uint64_t by_pieces(Decoder& decoder, const Member& member, std::vector<std::byte>& piece) {
  constexpr std::size_t kInput = std::size_t{128} << 10;
  Bytes in(member.packed);
  std::uint64_t total = 0;
  for (;;) {
    const Bytes part = in.first(std::min(in.size(), kInput));
    const DecodeStep step = decoder.step(part, piece, part.size() == in.size());
    in = in.subspan(step.taken);
    total += step.given;
    if (step.ended || !step.fault.empty() || (step.taken == 0 && step.given == 0)) return total;
  }
}

Way pieces(const std::string& name, std::size_t size, bool zlib, bool checked = false) {
  return {name + ", " + std::to_string(size >> 10) + " KiB", [=](const Member& member) {
            static std::vector<std::byte> piece;
            piece.resize(size);
            auto decoder = zlib ? make_deflate_zlib(Codec::deflate) : make_deflate(Codec::deflate);
            if (!checked) return by_pieces(*decoder, member, piece);
            const std::uint64_t total = by_pieces(*decoder, member, piece);
            std::uint32_t crc = 0;
            for (std::uint64_t at = 0; at < total; at += size) crc = crc32_update(crc, piece);
            return crc == 0 ? 0 : total;
          }};
}

std::vector<Way> ways() {
  std::vector<Way> out;
  for (const std::size_t size : {16, 64, 256, 1024})
    out.push_back(pieces("ISA-L", size << 10, false));
  out.push_back(pieces("ISA-L and CRC-32", std::size_t{64} << 10, false, true));
  for (const std::size_t size : {64, 256}) out.push_back(pieces("zlib", size << 10, true));
#if KF_HAVE_LIBDEFLATE
  out.push_back({"libdeflate, whole", [](const Member& member) {
                   static std::vector<std::byte> plain;
                   plain.resize(member.size);
                   auto* decompressor = libdeflate_alloc_decompressor();
                   std::size_t got = 0;
                   libdeflate_deflate_decompress(decompressor, member.packed.data(),
                                                 member.packed.size(), plain.data(), plain.size(),
                                                 &got);
                   libdeflate_free_decompressor(decompressor);
                   return std::uint64_t{got};
                 }});
#endif
  return out;
}

void time(Way& way, const Member& member) {
  const std::clock_t start = std::clock();
  const std::uint64_t got = way.run(member);
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (got != member.size) std::printf("%s: %s is wrong\n", way.name.c_str(), member.name.c_str());
  way.best = std::min(way.best, took);
}

void report(const Member& member, int runs) {
  std::vector<Way> all = ways();
  for (int run = 0; run < runs; ++run) {
    for (Way& way : all) time(way, member);
  }
  const auto mb = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  std::printf("\n%s: %.1f MB from %.1f\n", member.name.c_str(), mb(member.size),
              mb(member.packed.size()));
  for (const Way& way : all) {
    std::printf("  %-28s %7.1f ms %6.0f MB/s\n", way.name.c_str(), way.best * 1e3,
                mb(member.size) / way.best);
  }
}

Status members_of(const Host& host, const std::string& path, int runs) {
  KF_TRY(std::unique_ptr<RandomAccess> file, host.open_file(path));
  KF_TRY(ZipDirectory directory, read_zip_directory(*file));
  for (const auto& entry : directory.members) {
    if (entry.method_number != 8 || entry.size_bytes < kLarge) continue;
    KF_TRY(std::uint64_t at, member_data_offset(*file, entry));
    Member member{entry.name, std::vector<std::byte>(entry.packed_bytes), entry.size_bytes};
    if (Status status = file->read(at, member.packed); !status) return status;
    report(member, runs);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<Host> host = real_host();
  int runs = 3;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--runs" && i + 1 < argc) {
      runs = std::atoi(argv[++i]);
    } else if (Status status = members_of(*host, argv[i], runs); !status) {
      std::fprintf(stderr, "%s: %s\n", argv[i], status.error().text().c_str());
      return 2;
    }
  }
  return 0;
}
