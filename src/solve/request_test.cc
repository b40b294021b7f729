// SPDX-License-Identifier: Apache-2.0
// Which cards a question is about.
#include "solve/solve.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

// An RTX 3060 that the driver runs beside a GeForce 8400 GS that nouveau holds for the screen.
TEST(SolveRequest, ACardThatTheDriverDoesNotHoldIsNotServed) {
  const Knowledge knowledge = Knowledge::embedded();
  Machine machine;
  machine.driver.version = Fact<DottedVersion>::known(dotted("580.95.05"), "test");
  machine.driver.module_loaded = Fact<bool>::known(true, "test");
  for (const char* name : {"GeForce RTX 3060", "GeForce 8400 GS"}) {
    Gpu gpu;
    gpu.name = Fact<std::string>::known(name, "test");
    gpu.index = machine.gpus.empty() ? 0 : -1;
    gpu.bound_driver =
        Fact<std::string>::known(machine.gpus.empty() ? "nvidia" : "nouveau", "test");
    machine.gpus.push_back(std::move(gpu));
  }
  const auto cards = [&] {
    return request_for(machine, judge(machine, knowledge), -1).cards.size();
  };
  EXPECT_EQ(cards(), 1U);
  machine.gpus[1].bound_driver = Fact<std::string>::absent("test");  // perhaps it should be served
  EXPECT_EQ(cards(), 2U);
}

TEST(SolveRequest, AHiddenCardIsNotServed) {
  const Knowledge knowledge = Knowledge::embedded();
  Machine machine;
  Judgement judgement;
  for (const char* name : {"RTX 3090", "GTX 1060"}) {
    const auto gpu = gpu_from_text(name, knowledge);
    ASSERT_TRUE(gpu) << name;
    machine.gpus.push_back(*gpu);
    judgement.cards.push_back(identify(*gpu, knowledge));
  }
  EXPECT_EQ(request_for(machine, judgement, -1).cards.size(), 2u);
  machine.gpus[1].visible = Fact<bool>::given(false);
  ASSERT_EQ(request_for(machine, judgement, -1).cards.size(), 1u);
  EXPECT_EQ(request_for(machine, judgement, -1).cards[0].label, judgement.cards[0].label);
  machine.gpus[0].visible = Fact<bool>::given(false);  // CUDA_VISIBLE_DEVICES="": all the same
  EXPECT_EQ(request_for(machine, judgement, -1).cards.size(), 2u);
}

}  // namespace
}  // namespace kernelfit
