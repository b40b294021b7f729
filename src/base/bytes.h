// SPDX-License-Identifier: Apache-2.0
// Bytes as they lie in a file. Everything a parser reads goes through `slice` and `read_at`:
// no pointer arithmetic, no length believed before it is checked.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kernelfit {

using Bytes = std::span<const std::byte>;

// An integer as it lies in a file: fixed byte order, no alignment.
template <typename T, std::endian order>
class Wire {
 public:
  Wire() = default;
  operator T() const {  // NOLINT(google-explicit-constructor): reads as the integer it is
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      std::size_t at = order == std::endian::little ? i : sizeof(T) - 1 - i;
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(raw_[at]) << (8 * i)));
    }
    return value;
  }

 private:
  unsigned char raw_[sizeof(T)] = {};
};
using le16 = Wire<std::uint16_t, std::endian::little>;
using le32 = Wire<std::uint32_t, std::endian::little>;
using le64 = Wire<std::uint64_t, std::endian::little>;
using be16 = Wire<std::uint16_t, std::endian::big>;
using be32 = Wire<std::uint32_t, std::endian::big>;

inline Result<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return error(ErrorKind::truncated, "needs " + std::to_string(size) + " bytes at offset " +
                                           std::to_string(offset) + " of " +
                                           std::to_string(bytes.size()));
  }
  return bytes.subspan(offset, size);
}

// T is a trivially copyable struct of Wire integers.
template <typename T>
Result<T> read_at(Bytes bytes, std::uint64_t offset) {
  KF_TRY(Bytes part, slice(bytes, offset, sizeof(T)));
  T value;
  std::memcpy(&value, part.data(), sizeof(T));
  return value;
}

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A file that is read in places, never as a whole: host gives one for a path, tests and fuzz
// targets give one over a buffer. Reading past the end is an error, never a short read.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;
  virtual std::uint64_t size() const = 0;
  virtual Status read(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

class BufferAccess : public RandomAccess {
 public:
  explicit BufferAccess(Bytes bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    KF_TRY(Bytes part, slice(bytes_, offset, into.size()));
    if (!part.empty()) std::memcpy(into.data(), part.data(), part.size());
    return {};
  }

 private:
  Bytes bytes_;  // outlives this
};

template <typename T>
Result<T> read_at(const RandomAccess& file, std::uint64_t offset) {
  T value;
  std::byte raw[sizeof(T)];
  if (Status status = file.read(offset, raw); !status) return tl::unexpected(status.error());
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

}  // namespace kernelfit
