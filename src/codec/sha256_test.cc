// SPDX-License-Identifier: Apache-2.0
#include "codec/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace kernelfit {
namespace {

std::string digest(std::string_view text, Sha256::Blocks blocks, std::size_t piece) {
  Sha256 sum(blocks);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    sum.add(as_bytes(text.substr(at, std::min(piece, text.size() - at))));
  }
  return sum.hex();
}

// The examples of NIST for FIPS 180-4.
TEST(Sha256, KnownDigests) {
  const std::pair<std::string, std::string> known[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, expected] : known) {
    for (const Sha256::Blocks blocks : {Sha256::fastest(), &Sha256::portable}) {
      for (const std::size_t piece : {std::size_t{1} << 20, std::size_t{64}, std::size_t{61}}) {
        EXPECT_EQ(digest(text, blocks, piece), expected) << text.size() << " by " << piece;
      }
    }
  }
}

}  // namespace
}  // namespace kernelfit
