// SPDX-License-Identifier: Apache-2.0
// A zip made by hand, every number open to be wrong. Fields as in APPNOTE 6.3.10.
#pragma once
#include <zlib.h>

#include <string>
#include <vector>

#include "base/bytes.h"

namespace kernelfit {

inline std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

inline std::string deflated(const std::string& plain, int window_bits = -15) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, plain.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  z.avail_in = static_cast<uInt>(plain.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::uint32_t crc_of(const std::string& plain) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size())));
}

struct ZipEntry {
  std::string name, packed, extra, comment;
  std::uint32_t crc = 0, packed_size = 0, size = 0, offset = 0, external = 0;
  int method = 0, flags = 0, made_by = 20;
  std::string local_name;  // where it differs
};

// Members first, then the directory; `entries` keeps what the directory will say.
class ZipBuilder {
 public:
  ZipEntry& add(const std::string& name, const std::string& plain, int method = 0) {
    return add_packed(name, plain, method == 8 ? deflated(plain) : plain, method);
  }
  ZipEntry& add_packed(const std::string& name, const std::string& plain, const std::string& packed,
                       int method) {
    ZipEntry e;
    e.name = e.local_name = name;
    e.packed = packed;
    e.method = method;
    e.crc = crc_of(plain);
    e.size = static_cast<std::uint32_t>(plain.size());
    e.packed_size = static_cast<std::uint32_t>(packed.size());
    e.offset = static_cast<std::uint32_t>(data.size());
    entries.push_back(e);
    data += local(e) + packed;
    return entries.back();
  }
  static std::string local(const ZipEntry& e) {
    return number(0x04034b50, 4) + number(20, 2) + number(static_cast<unsigned>(e.flags), 2) +
           number(static_cast<unsigned>(e.method), 2) + number(0, 4) + number(e.crc, 4) +
           number(e.packed_size, 4) + number(e.size, 4) + number(e.local_name.size(), 2) +
           number(0, 2) + e.local_name;
  }
  static std::string central(const ZipEntry& e) {
    return number(0x02014b50, 4) + number(static_cast<unsigned>(e.made_by), 2) + number(20, 2) +
           number(static_cast<unsigned>(e.flags), 2) + number(static_cast<unsigned>(e.method), 2) +
           number(0, 4) + number(e.crc, 4) + number(e.packed_size, 4) + number(e.size, 4) +
           number(e.name.size(), 2) + number(e.extra.size(), 2) + number(e.comment.size(), 2) +
           number(0, 4) + number(e.external, 4) + number(e.offset, 4) + e.name + e.extra +
           e.comment;
  }
  std::string directory() const {
    std::string out;
    for (const auto& e : entries) out += central(e);
    return out;
  }
  static std::string end(std::uint64_t count, std::uint64_t size, std::uint64_t offset,
                         const std::string& comment = {}) {
    return number(0x06054b50, 4) + number(0, 4) + number(count, 2) + number(count, 2) +
           number(size, 4) + number(offset, 4) + number(comment.size(), 2) + comment;
  }
  std::string build(const std::string& comment = {}) const {
    const std::string list = directory();
    return data + list + end(entries.size(), list.size(), data.size(), comment);
  }
  // The same with the 64-bit end record and its locator; the old record says nothing.
  std::string build64() const {
    const std::string list = directory();
    const std::string record = number(0x06064b50, 4) + number(44, 8) + number(45, 2) +
                               number(45, 2) + number(0, 8) + number(entries.size(), 8) +
                               number(entries.size(), 8) + number(list.size(), 8) +
                               number(data.size(), 8);
    const std::string locator =
        number(0x07064b50, 4) + number(0, 4) + number(data.size() + list.size(), 8) + number(1, 4);
    return data + list + record + locator + end(0xffff, 0xffffffff, 0xffffffff);
  }

  std::string data;
  std::vector<ZipEntry> entries;
};

}  // namespace kernelfit
