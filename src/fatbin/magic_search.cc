// SPDX-License-Identifier: Apache-2.0
#include "fatbin/magic_search.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace kernelfit {
namespace {

// As they read in the byte order of this machine.
std::uint32_t word(const char (&text)[5]) {
  std::uint32_t value;
  std::memcpy(&value, text, 4);
  return value;
}

struct Magics {
  std::uint32_t container = word("\x50\xed\x55\xba");
  std::uint32_t elf = word(
      "\x7f"
      "ELF");
  std::uint32_t bundle = word("__CL");
  std::uint32_t compressed_bundle = word("CCOB");
};

bool is_magic(std::uint32_t value, const Magics& magics) {
  return value == magics.container || value == magics.elf || value == magics.bundle ||
         value == magics.compressed_bundle;
}

constexpr std::size_t kBlock = 64;  // words; long enough for the compiler to use vectors

// Where the first block with a magic begins, or the last whole block ends.
std::size_t skip_plainly(const std::byte* bytes, std::size_t at, std::size_t end,
                         const Magics& magics) {
  for (; end - at >= kBlock * 4; at += kBlock * 4) {
    std::uint32_t words[kBlock];
    std::memcpy(words, bytes + at, sizeof words);
    std::uint32_t found = 0;
    for (std::uint32_t value : words) {
      found |= static_cast<std::uint32_t>(value == magics.container) |
               static_cast<std::uint32_t>(value == magics.elf) |
               static_cast<std::uint32_t>(value == magics.bundle) |
               static_cast<std::uint32_t>(value == magics.compressed_bundle);
    }
    if (found != 0) break;
  }
  return at;
}

#if defined(__x86_64__) && defined(__GNUC__)
// The same in words of 32 bytes, which every processor since 2013 has but not every one that runs
// this.
[[gnu::target("avx2")]] std::size_t skip_by_avx2(const std::byte* bytes, std::size_t at,
                                                 std::size_t end, const Magics& magics) {
  const __m256i container = _mm256_set1_epi32(static_cast<int>(magics.container));
  const __m256i elf = _mm256_set1_epi32(static_cast<int>(magics.elf));
  const __m256i bundle = _mm256_set1_epi32(static_cast<int>(magics.bundle));
  const __m256i compressed = _mm256_set1_epi32(static_cast<int>(magics.compressed_bundle));
  for (; end - at >= kBlock * 4; at += kBlock * 4) {
    __m256i found = _mm256_setzero_si256();
    for (std::size_t i = 0; i < kBlock * 4; i += sizeof(__m256i)) {
      const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + at + i));
      const __m256i first =
          _mm256_or_si256(_mm256_cmpeq_epi32(words, container), _mm256_cmpeq_epi32(words, elf));
      const __m256i second =
          _mm256_or_si256(_mm256_cmpeq_epi32(words, bundle), _mm256_cmpeq_epi32(words, compressed));
      found = _mm256_or_si256(found, _mm256_or_si256(first, second));
    }
    if (_mm256_testz_si256(found, found) == 0) break;
  }
  return at;
}

auto* best_skip() {
  static const auto best = __builtin_cpu_supports("avx2") != 0 ? skip_by_avx2 : skip_plainly;
  return best;
}
#else
auto* best_skip() {
  return skip_plainly;
}
#endif

}  // namespace

std::size_t find_magic(Bytes bytes, std::size_t from) {
  const Magics magics;
  const auto skip = best_skip();
  const std::size_t end = bytes.size() & ~std::size_t{3};
  std::size_t at = from;
  for (;;) {
    at = skip(bytes.data(), at, end, magics);
    if (at >= end) return end;
    const std::size_t stop = end - at >= kBlock * 4 ? at + kBlock * 4 : end;
    for (; at < stop; at += 4) {
      std::uint32_t value;
      std::memcpy(&value, bytes.data() + at, 4);
      if (is_magic(value, magics)) return at;
    }
  }
}

}  // namespace kernelfit
