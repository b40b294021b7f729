// SPDX-License-Identifier: Apache-2.0
// Many containers at once give what one after the other gives.
#include "scan/hop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "host/file_access.h"

namespace kernelfit {
namespace {

constexpr std::uint64_t kAddress = 0x40000;  // where the section would lie in memory

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file on a disk that must be waited for.
class ColdFile : public FileAccess {
 public:
  ColdFile(const std::string& bytes, bool cold)
      : access_(std::as_bytes(std::span(bytes))), cold_(cold) {}
  std::uint64_t size() const override { return access_.size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    return access_.read(offset, into);
  }
  bool in_memory(std::uint64_t) const override { return !cold_; }
  void expect_far_apart(bool far_apart) const override { advice += far_apart ? "far " : "near "; }
  mutable std::string advice;

 private:
  BufferAccess access_;
  bool cold_;
};

struct Section {
  std::string bytes;
  std::vector<std::uint64_t> pointers;
};

Section section_of(int containers) {
  const std::string one = load("cu118_sm35.fatbin"), two = load("cu124_sm90a_ptx90a.fatbin");
  EXPECT_FALSE(one.empty() || two.empty());
  Section out;
  for (int i = 0; i < containers; ++i) {
    out.pointers.push_back(kAddress + out.bytes.size());
    out.bytes += i % 3 == 0 ? two : one;
    out.bytes.resize((out.bytes.size() + 7) / 8 * 8);
  }
  return out;
}

std::string text_of(const FatbinListing& listing) {
  std::string out;
  for (const auto& container : listing.containers) {
    out += std::to_string(container.offset) + ":";
    for (const auto& entry : container.entries) out += " " + entry.arch.text();
    out += "\n";
  }
  for (const auto& problem : listing.problems) out += problem + "\n";
  return out;
}

std::string hopped(const Section& section, const ColdFile& file,
                   std::vector<std::uint64_t> pointers) {
  return text_of(hop_containers(file, 0, section.bytes.size(), ".nv_fatbin", std::move(pointers)));
}
std::string in_order(const Section& section) {
  return text_of(list_containers(BufferAccess(std::as_bytes(std::span(section.bytes))), 0,
                                 section.bytes.size(), ".nv_fatbin"));
}

TEST(Hop, ReadsManyContainersAtOnceWhereADiskMustBeWaitedFor) {
  const Section section = section_of(40);
  const ColdFile cold(section.bytes, true);
  EXPECT_EQ(hopped(section, cold, section.pointers), in_order(section));
  EXPECT_EQ(cold.advice, "far near ");
  EXPECT_EQ(std::ranges::count(in_order(section), '\n'), 40);
}

TEST(Hop, InMemoryOrWithFewContainersItGoesInOrder) {
  const Section section = section_of(40);
  const ColdFile warm(section.bytes, false), cold(section.bytes, true);
  EXPECT_EQ(hopped(section, warm, section.pointers), in_order(section));
  EXPECT_EQ(warm.advice, "");
  EXPECT_EQ(hopped(section, cold, {section.pointers.begin(), section.pointers.begin() + 3}),
            in_order(section));
  EXPECT_EQ(cold.advice, "");
}

TEST(Hop, PointersThatAreWrongCostTimeAndNothingElse) {
  const Section section = section_of(40);
  const ColdFile cold(section.bytes, true);
  std::vector<std::uint64_t> pointers(section.pointers.rbegin(), section.pointers.rend());
  pointers.insert(pointers.end(), section.pointers.begin(), section.pointers.end());
  EXPECT_EQ(hopped(section, cold, pointers), in_order(section)) << "backwards and twice";
  pointers.push_back(~std::uint64_t{0});
  EXPECT_EQ(hopped(section, cold, pointers), in_order(section)) << "past the section";
  pointers.push_back(section.pointers[7] + 8);
  EXPECT_EQ(hopped(section, cold, pointers), in_order(section)) << "into a container";
  pointers.push_back(0);
  EXPECT_EQ(hopped(section, cold, pointers), in_order(section)) << "before the section";
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < section.pointers.size(); i += 2) some.push_back(section.pointers[i]);
  EXPECT_EQ(hopped(section, cold, some), in_order(section)) << "every second one";
}

TEST(Hop, AFaultIsToldAsInOrder) {
  Section section = section_of(40);
  section.bytes.resize(section.bytes.size() - 100);
  const ColdFile cold(section.bytes, true);
  EXPECT_EQ(hopped(section, cold, section.pointers), in_order(section));
  EXPECT_NE(in_order(section).find("offset"), std::string::npos);
}

}  // namespace
}  // namespace kernelfit
