// SPDX-License-Identifier: Apache-2.0
// What is certain by the chips' generation and class, and what is not.
#include "probe/faster_order.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(FasterOrder, ANewerAndBiggerChipIsFasterForCertain) {
  EXPECT_TRUE(is_faster_chip("GA102", "GP106"));   // RTX 3090, GTX 1060
  EXPECT_TRUE(is_faster_chip("GA102", "GP102"));   // RTX 3090, GTX 1080 Ti: 35.6 and 11.3 TFLOPS
  EXPECT_TRUE(is_faster_chip("GB202", "GA102"));   // RTX 5090, RTX 3090
  EXPECT_TRUE(is_faster_chip("GA102", "GK208B"));  // RTX 3090, GT 730
  EXPECT_TRUE(is_faster_chip("TU104", "GP106"));   // T4, GTX 1060
}

TEST(FasterOrder, AnythingElseIsNot) {
  constexpr const char* kPairs[][2] = {
      {"GM107", "GK210"},  // Quadro K620 0.8 TFLOPS, one half of a Tesla K80 2.8
      {"GA102", "GA102"},  // RTX 3080 and 3090
      {"TU106", "GP102"},  // RTX 2060 6.5, GTX 1080 Ti 11.3
      {"GB205", "AD104"},  // RTX 5070 30.9, RTX 4070 Ti 40.1
      {"GH100", "AD102"},  // H100 PCIe 51, RTX 4090 82
      {"GA100", "TU102"},  // A30 10.3, Titan RTX 16.3
      {"TU117", "GM107"},  // T400 1.1, GTX 750 Ti 1.4
      {"GA107", "TU117"},  // RTX A400 2.7, GTX 1650 3.0
      {"GA102", ""},       // not known
      {"GB10B", "GP106"},  // a board
  };
  for (const auto& pair : kPairs) {
    EXPECT_FALSE(is_faster_chip(pair[0], pair[1])) << pair[0] << " " << pair[1];
    EXPECT_FALSE(is_faster_chip(pair[1], pair[0])) << pair[1] << " " << pair[0];
  }
}

Gpu named(const char* name) {
  Gpu gpu;
  gpu.name = Fact<std::string>::known(name, "test");
  return gpu;
}

// The chip is written into the name.
std::string chip_in_name(const Gpu& gpu) {
  return gpu.name->substr(gpu.name->rfind(' ') + 1);
}

TEST(FasterOrder, PlacesAreCertainFromTheFront) {
  Gpu old = named("GTX 1060 GP106"), one = named("RTX 3090 GA102"), two = named("RTX 3090 GA102");
  std::vector<Gpu*> gpus = {&old, &one, &two};
  EXPECT_EQ(sort_by_speed(gpus, chip_in_name), 3U);
  EXPECT_EQ(gpus, (std::vector<Gpu*>{&one, &two, &old}));  // of one name in bus order

  Gpu third = named("GTX 1080 Ti GP102"), fourth = named("RTX 2070 TU106");
  gpus = {&third, &fourth, &one};
  EXPECT_EQ(sort_by_speed(gpus, chip_in_name), 1U);  // the RTX 3090, and then one of two
  EXPECT_EQ(gpus[0], &one);

  gpus = {&third, &fourth};
  EXPECT_EQ(sort_by_speed(gpus, chip_in_name), 0U);
  EXPECT_EQ(sort_by_speed(gpus, {}), 0U);
}

}  // namespace
}  // namespace kernelfit
