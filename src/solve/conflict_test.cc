// SPDX-License-Identifier: Apache-2.0
// Facts that only change together.
#include "solve/conflict.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

std::vector<std::string> changes_of(const Conflict& conflict) {
  std::vector<std::string> out = {conflict.change};
  out.insert(out.end(), conflict.also_change.begin(), conflict.also_change.end());
  return out;
}

// torch/builds.csv: wheels with 10.0 or 12.0 ask for glibc 2.28 and Python 3.9;
// cuda/driver_branches.csv: both cards begin with R570.
TEST(Conflict, WhatHelpsOnlyTogetherIsNamedTogether) {
  const Knowledge knowledge = Knowledge::embedded();
  using Kinds = std::vector<std::string>;
  struct {
    const char* request;
    Kinds changes;
  } const cases[] = {
      {"gpu=12.0 driver=535.183.01 python=3.12 glibc=2.17", {"driver", "glibc"}},
      {"gpu=10.0 driver=535.183.01 python=3.12 glibc=2.27", {"driver", "glibc"}},
      {"gpu=12.0 driver=580.95.05 python=3.7 glibc=2.17", {"python", "glibc"}},
      {"gpu=12.0 driver=535.183.01 python=3.7 glibc=2.17", {"driver", "python", "glibc"}},
      {"gpu=12.0 driver=535.183.01 python=3.12 glibc=musl", {"driver", "glibc"}},
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", {"glibc"}},
  };
  for (const auto& c : cases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    EXPECT_EQ(answer.verdict, PlanVerdict::no_build) << c.request;
    ASSERT_TRUE(answer.conflict) << c.request;
    EXPECT_EQ(changes_of(*answer.conflict), c.changes) << c.request;
  }
}

TEST(Conflict, WhatIsNeededIsNotAdvisedAgainst) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer both =
      solve(request_of("gpu=12.0 driver=535.183.01 python=3.12 glibc=2.17", knowledge), knowledge);
  EXPECT_FALSE(says(both.avoid, "solve.avoid.driver-adds-no-code"));
  ASSERT_TRUE(both.after_driver);
  EXPECT_GE(both.after_driver->major(), 570);
  const Answer one =
      solve(request_of("gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", knowledge), knowledge);
  EXPECT_TRUE(says(one.avoid, "solve.avoid.driver-adds-no-code"));
  EXPECT_FALSE(one.after_driver);
}

TEST(Conflict, TheSmallestConflict) {
  struct {
    const char* request;
    std::vector<std::string> kinds;
    const char* change;
  } cases[] = {
      {"gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36 want=2.15.*", {"torch", "gpu"}, "torch"},
      {"gpu=3.7 gpu=9.0 driver=470.256.02 python=3.10 glibc=2.36", {"gpu", "gpu"}, "gpu"},
      {"gpu=10de:0f02 driver=390.157 python=3.8", {"gpu"}, "gpu"},
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", {"gpu", "glibc", "os"}, "glibc"},
      {"gpu=6.1 driver=580.95.05 python=3.12 want=2.13.0 build=cu130", {"build", "gpu"}, "build"},
  };
  const Knowledge knowledge = Knowledge::embedded();
  for (const auto& c : cases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    ASSERT_TRUE(answer.conflict) << c.request;
    std::vector<std::string> kinds;
    for (const auto& part : answer.conflict->parts) kinds.push_back(part.kind);
    EXPECT_EQ(kinds, c.kinds) << c.request;
    EXPECT_EQ(answer.conflict->change, c.change) << c.request;
  }
}

// What the first line says: the card is only one of the reasons.
TEST(Conflict, TheCauseOfNoBuild) {
  const Knowledge knowledge = Knowledge::embedded();
  const std::pair<const char*, const char*> cases[] = {
      {"gpu=10de:0f02 driver=390.157 python=3.8", "solve.cause.card"},
      // every build with sm_120 is manylinux_2_28 or newer
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17", "solve.cause.glibc"},
      // and R535 is from before the card: it takes another driver as well
      {"gpu=12.0 driver=535.183.01 python=3.12 glibc=2.17", "solve.cause.several"},
      {"gpu=8.6 os=windows cpu=aarch64 driver=580.95 python=3.11", "solve.cause.os"},
      {"gpu=10de:1b06 gpu=10de:2b85 driver=580.95.05 python=3.12", "solve.cause.host"},
      {"gpu=K80 gpu=4090 driver=470.256.02 python=3.10", "solve.cause.host"},
      {"gpu=K80 os=wsl driver=475.14 python=3.10", "solve.cause.wsl"},
  };
  for (const auto& [request, cause] : cases) {
    const Answer answer = solve(request_of(request, knowledge), knowledge);
    EXPECT_EQ(text_of(answer.verdict), "no-build") << request;
    EXPECT_EQ(answer.cause.key, cause) << request;
  }
  Request none = request_of("python=3.12", knowledge);
  none.no_gpu = true;
  EXPECT_EQ(solve(none, knowledge).cause.key, "solve.cause.no-gpu");
}

}  // namespace
}  // namespace kernelfit
