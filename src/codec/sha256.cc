// SPDX-License-Identifier: Apache-2.0
#include "codec/sha256.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define KF_SHA_INSTRUCTIONS 1
#endif

namespace kernelfit {
namespace {

alignas(16) constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Schedule = std::array<std::uint32_t, 64>;

std::uint32_t big_endian(const std::byte* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(at[i]);
  return value;
}

Schedule expand(const std::byte* block) {
  Schedule w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return w;
}

void compress(Sha256::State& state, const Schedule& w) {
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const Sha256::State mixed = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

#if KF_SHA_INSTRUCTIONS

// The instructions keep the state as the words ABEF and CDGH.
[[gnu::target("sha,sse4.1")]] void by_instructions(Sha256::State& state, const std::byte* bytes,
                                                   std::size_t blocks) {
  const auto words = [](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return std::array{a, b, c, d};
  };
  const auto first = words(state[5], state[4], state[1], state[0]);
  const auto second = words(state[7], state[6], state[3], state[2]);
  __m128i abef = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first.data()));
  __m128i cdgh = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second.data()));
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; blocks > 0; --blocks, bytes += Sha256::kBlock) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + i), swap);
    }
    for (int i = 0; i < 16; ++i) {  // four rounds each
      __m128i& here = w[i % 4];
      const __m128i last = w[(i + 3) % 4];
      const __m128i key = _mm_load_si128(reinterpret_cast<const __m128i*>(kRounds.data()) + i);
      const __m128i sum = _mm_add_epi32(here, key);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      const __m128i mixed = _mm_add_epi32(_mm_sha256msg1_epu32(here, w[(i + 1) % 4]),
                                          _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
      here = _mm_sha256msg2_epu32(mixed, last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  std::array<std::uint32_t, 4> fe_ba, hg_dc;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(fe_ba.data()), abef);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(hg_dc.data()), cdgh);
  state = {fe_ba[3], fe_ba[2], hg_dc[3], hg_dc[2], fe_ba[1], fe_ba[0], hg_dc[1], hg_dc[0]};
}

bool has_instructions() {
  constexpr unsigned kSsse3 = 1U << 9, kSse41 = 1U << 19, kSha = 1U << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSsse3) == 0 || (c & kSse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

#endif

}  // namespace

void Sha256::portable(State& state, const std::byte* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += kBlock) compress(state, expand(bytes));
}

Sha256::Blocks Sha256::fastest() {
#if KF_SHA_INSTRUCTIONS
  static const bool there = has_instructions();
  if (there) return by_instructions;
#endif
  return portable;
}

void Sha256::add(Bytes bytes) {
  const std::size_t begun = size_ % kBlock;
  size_ += bytes.size();
  if (begun > 0) {
    const std::size_t take = std::min(bytes.size(), kBlock - begun);
    std::copy_n(bytes.begin(), take, open_.begin() + static_cast<std::ptrdiff_t>(begun));
    bytes = bytes.subspan(take);
    if (begun + take < kBlock) return;
    blocks_(state_, open_.data(), 1);
  }
  blocks_(state_, bytes.data(), bytes.size() / kBlock);
  std::ranges::copy(bytes.subspan(bytes.size() / kBlock * kBlock), open_.begin());
}

std::string Sha256::hex() {
  const std::uint64_t bits = size_ * 8;
  const std::array<std::byte, kBlock> padding = {std::byte{0x80}};
  const std::size_t begun = size_ % kBlock;
  add(Bytes(padding).first((begun < 56 ? 56 : 120) - begun));
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(length);
  std::string out;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
  }
  return out;
}

}  // namespace kernelfit
