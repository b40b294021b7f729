// SPDX-License-Identifier: Apache-2.0
// A table of questions with the answers that the facts beside them give.
#pragma once
#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {

struct Case {
  const char* why;  // the rule, and what it gives here
  const char* request;
  const char* answer;
};

inline void check(const Case* begin, const Case* end) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const Case* c = begin; c != end; ++c)
    EXPECT_EQ(summary(solve(request_of(c->request, knowledge), knowledge)), c->answer)
        << c->why << "\n"
        << c->request;
}
template <std::size_t N>
void check(const Case (&cases)[N]) {
  check(cases, cases + N);
}

}  // namespace kernelfit
