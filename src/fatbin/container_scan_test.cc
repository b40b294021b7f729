// SPDX-License-Identifier: Apache-2.0
#include "fatbin/container_scan.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// Everything that a scan says, as words in order.
class Listener : public ContainerVisitor {
 public:
  explicit Listener(bool payloads = false) : payloads_(payloads) {}
  std::string words;

  void container(std::uint64_t offset) override { words += "@" + std::to_string(offset) + " "; }
  bool entry(const FatbinEntry& entry) override {
    words += entry.arch.text() + " ";
    return payloads_;
  }
  void payload(const FatbinEntry& entry, Bytes stored) override {
    words += "[" + std::to_string(stored.size()) + "] ";
    EXPECT_EQ(stored.size(), entry.stored_bytes);
  }
  bool bare_cubin(std::uint64_t offset, std::uint64_t size, Bytes) override {
    words += "cubin@" + std::to_string(offset) + "+" + std::to_string(size) + " ";
    return payloads_;
  }
  void bare_payload(std::uint64_t, Bytes cubin) override {
    words += "[" + std::to_string(cubin.size()) + "] ";
  }
  void hip_bundle(std::uint64_t offset, Bytes) override {
    words += "hip@" + std::to_string(offset) + " ";
  }
  void problem(std::uint64_t offset, const std::string& text) override {
    words += "!" + std::to_string(offset) + " " + text + " ";
  }

 private:
  bool payloads_;
};

// Gives what there is in pieces of one size, as a slow download would.
class Pieces : public ByteStream {
 public:
  Pieces(std::string_view text, std::size_t size) : text_(text), size_(size) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t count = std::min({into.size(), size_, text_.size()});
    std::copy_n(as_bytes(text_).begin(), count, into.begin());
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
  std::size_t size_;
};

std::string in_place(std::string_view bytes, bool payloads = false) {
  Listener listener(payloads);
  EXPECT_TRUE(scan_access(BufferAccess(as_bytes(bytes)), 0, bytes.size(), listener));
  return listener.words;
}

std::string as_stream(std::string_view bytes, std::size_t piece, bool payloads) {
  Listener listener(payloads);
  Pieces pieces(bytes, piece);
  EXPECT_TRUE(scan_stream(pieces, bytes.size(), listener));
  return listener.words;
}

std::string hay(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 37 + i / 251);
  return out;
}

TEST(ContainerScan, FindsContainersWhereverTheyLie) {
  const std::string three = load("cu118_sm35_sm50_ptx50_lz4.fatbin");
  const std::string cubin = load("cu130_sm100f.cubin");
  std::string bytes = hay(70'000) + three + hay(12) + three + hay(300'000) + cubin + hay(64);
  const std::string second = std::to_string(70'000 + three.size() + 12);
  const std::string third = std::to_string(70'000 + 2 * three.size() + 12 + 300'000);
  const std::string want = "@70000 sm_35 sm_50 compute_50 @" + second +
                           " sm_35 sm_50 compute_50 cubin@" + third + "+" +
                           std::to_string(cubin.size()) + " ";
  EXPECT_EQ(in_place(bytes), want);
}

TEST(ContainerScan, AStreamSaysWhatTheFileSays) {
  const std::string bytes = hay(5'000) + load("cu118_sm35_sm50_ptx50.fatbin") + hay(4'096) +
                            load("cu130_sm121a.cubin") + hay(8) +
                            load("hip_bundle_synthetic.hipfb");
  const std::string want = in_place(bytes, true);
  EXPECT_NE(want.find("cubin@"), std::string::npos);
  EXPECT_NE(want.find("hip@"), std::string::npos);
  for (std::size_t piece : {1UL, 7UL, 63UL, 4096UL, 65'536UL, 1'000'000UL}) {
    EXPECT_EQ(as_stream(bytes, piece, true), want) << piece;
  }
}

// A section's name in the .shstrtab of bitsandbytes 0.50.2's libbitsandbytes_xpu2025.so.
TEST(ContainerScan, ANameThatBeginsLikeABundleIsNone) {
  const std::string name = "__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen";
  EXPECT_EQ(in_place(hay(4'096) + name + hay(4'096), true),
            in_place(hay(4'096 + 4'096 + 40), true));
}

TEST(ContainerScan, FalseMagicsAreNone) {
  EXPECT_EQ(in_place(load("fault_magic_in_junk.bin")), "");
  EXPECT_EQ(in_place("\x50\xed\x55\xba"), "");
  EXPECT_EQ(in_place(std::string(100'000, '\x50')), "");
}

TEST(ContainerScan, WhatIsCutOffIsSaid) {
  std::string cut = load("cu118_sm35_sm50_ptx50_lz4.fatbin");
  cut.resize(cut.size() - 100);
  const std::string words = in_place(cut, true);
  EXPECT_NE(words.find("sm_35 "), std::string::npos) << words;
  EXPECT_NE(words.find("!0 container of"), std::string::npos) << words;
}

}  // namespace
}  // namespace kernelfit
