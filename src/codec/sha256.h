// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), by which container images name their layers. By the processor's own
// instructions where it has them: measured on one thread, 1.3 GB/s and else 0.25 GB/s.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace kernelfit {

class Sha256 {
 public:
  using State = std::array<std::uint32_t, 8>;
  using Blocks = void (*)(State& state, const std::byte* bytes, std::size_t blocks);
  static constexpr std::size_t kBlock = 64;

  explicit Sha256(Blocks blocks = fastest()) : blocks_(blocks) {}
  void add(Bytes bytes);
  std::string hex();  // of all that was added; the last call

  static Blocks fastest();
  static void portable(State& state, const std::byte* bytes, std::size_t blocks);

 private:
  Blocks blocks_;
  State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, kBlock> open_{};  // the block that is not full yet
  std::uint64_t size_ = 0;
};

}  // namespace kernelfit
