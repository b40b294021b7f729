// SPDX-License-Identifier: Apache-2.0
#include "scan/threads.h"

#include <gtest/gtest.h>

#include <new>

namespace kernelfit {
namespace {

TEST(Threads, EveryJobIsDoneOnce) {
  std::vector<std::atomic<int>> done(1000);
  in_parallel(done.size(), 4, [&](std::size_t job, std::size_t) { ++done[job]; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(Threads, JobsMayAddOthers) {
  JobQueue jobs;
  std::atomic<int> done{0};
  jobs.add([&] {
    for (int i = 0; i < 100; ++i) jobs.add([&] { ++done; });
  });
  jobs.run(4);
  EXPECT_EQ(done, 100);
}

// Whoever embeds the scanner gets the exception; the process goes on.
TEST(Threads, WhatAJobThrowsIsThrownHere) {
  const auto fail = [](std::size_t job, std::size_t) {
    if (job == 50) throw std::bad_alloc();
  };
  for (int threads : {1, 4}) {
    EXPECT_THROW(in_parallel(100, threads, fail), std::bad_alloc) << threads;
    JobQueue jobs;
    for (std::size_t i = 0; i < 100; ++i) jobs.add([&fail, i] { fail(i, 0); });
    EXPECT_THROW(jobs.run(threads), std::bad_alloc) << threads;
  }
}

}  // namespace
}  // namespace kernelfit
